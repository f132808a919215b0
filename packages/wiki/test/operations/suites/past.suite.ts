import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki, type TestWiki } from '../test-wiki.ts';

/** Reading, listing and searching as of a commit or a date. */
export function pastSuite(backend: Backend): void {
  describe('as of the past', () => {
    /** A wiki whose first commit is years old. Further commits are of now. */
    const openOld = () =>
      openTestWiki(backend, { 'A.md': 'word #old', 'B.md': 'word [[A]]', 'C.md': '# Gone\n\nword' });

    async function changeMuch(wiki: TestWiki): Promise<void> {
      const pages = Array.from({ length: 70 }, (_, at) => ({
        op: 'write' as const,
        path: `New/P${at}`,
        content: 'word #new',
      }));
      await wiki.run('commit_changes', { message: 'Add many', changes: pages });
      await wiki.run('move_page', { path: 'A', new_path: 'Moved' });
      const { version } = await wiki.run('read_page', { path: 'C' });
      await wiki.run('delete_page', { path: 'C', version });
    }

    test('lists, searches and reads what there was then, by commit or date, however much changed', async () => {
      const wiki = await openOld();
      const first = (await wiki.head()) ?? '';
      await changeMuch(wiki);
      for (const at of [first, first.slice(0, 12), '2024-01-01', '3 years ago']) {
        const listed = await wiki.run('list_pages', { at });
        expect([listed.commit, listed.total]).toEqual([first, 3]);
        expect(listed.pages.map(({ path }) => path)).toEqual(['A', 'B', 'C']);
        for (const mode of ['words', 'regex', 'passages'] as const) {
          const { commit, hits } = await wiki.run('search_pages', { query: 'word', mode, at });
          expect(commit).toBe(first);
          expect(hits.map(({ path }) => path).toSorted()).toEqual(['A', 'B', 'C']);
        }
        expect(await wiki.run('list_tags', { at })).toMatchObject({
          commit: first,
          tags: [{ tag: 'old', pages: 1 }],
        });
        expect(await wiki.run('read_page', { path: 'C', at })).toMatchObject({
          commit: first,
          title: 'Gone',
        });
        expect(await wiki.run('read_page', { path: '[[A]]', from: 'B', at })).toMatchObject({ path: 'A' });
      }
      expect((await wiki.run('list_pages', {})).total).toBe(72);
      expect((await wiki.run('list_pages', { at: 'now' })).total).toBe(72);
      expect((await wiki.run('search_pages', { query: 'gone' })).total).toBe(0);
      expect((await wiki.run('list_tags', { at: 'today' })).total).toBe(2);
    });

    test('goes on from a cursor at its commit', async () => {
      const wiki = await openOld();
      await changeMuch(wiki);
      const query = { at: '2024', limit: 2 };
      const first = await wiki.run('list_pages', query);
      const rest = await wiki.run('list_pages', { ...query, cursor: first.next_cursor ?? '' });
      expect([...first.pages, ...rest.pages].map(({ path }) => path)).toEqual(['A', 'B', 'C']);
      const other = await wiki.refused('list_pages', { limit: 2, cursor: first.next_cursor });
      expect(other.code).toBe('invalid_input');
    });

    test('takes the newest commit that is not newer than a date, and of each change its writer', async () => {
      const wiki = await openOld();
      const first = await wiki.head();
      await wiki.as('Grace', null).write('D', 'word');
      expect((await wiki.run('list_pages', { at: 'yesterday' })).commit).toBe(first);
      expect((await wiki.run('list_pages', { at: 'today' })).commit).toBe(await wiki.head());
      expect((await wiki.run('list_pages', { at: 'today', author: 'grace' })).total).toBe(1);
      expect((await wiki.run('list_pages', { at: 'yesterday', author: 'grace' })).total).toBe(0);
    });

    test('refuses a time before the first commit, an unknown commit and what is neither', async () => {
      const wiki = await openOld();
      const elsewhere = await wiki.git('commit-tree', '-m', 'elsewhere', 'main^{tree}');
      const empty = await openTestWiki(backend);
      for (const input of [
        { name: 'read_page', input: { path: 'A' } },
        { name: 'list_pages', input: {} },
        { name: 'search_pages', input: { query: 'word' } },
        { name: 'list_tags', input: {} },
      ] as const) {
        const codeAt = async (at: string, of = wiki) =>
          (await of.refused(input.name, { ...input.input, at })).code;
        expect(await codeAt('1999')).toBe('not_found');
        expect(await codeAt('f'.repeat(40))).toBe('not_found');
        expect(await codeAt('some day')).toBe('invalid_input');
        expect(await codeAt('today', empty)).toBe('not_found');
        if (input.name !== 'read_page') expect(await codeAt(elsewhere)).toBe('not_found');
      }
      expect((await wiki.run('list_pages', {})).total).toBe(3);
    });
  });
}
