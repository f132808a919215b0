import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** list_wikis and create_wiki. */
export function wikisSuite(backend: Backend): void {
  describe('list_wikis and create_wiki', () => {
    test('a wiki is made beside the others, with its first pages, and listed', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': 'x' });
      const made = await wiki.run('create_wiki', { wiki: 'second-1' });
      const { wikis, default: byDefault } = await wiki.run('list_wikis', {});
      expect(wikis).toContain('second-1');
      expect(wikis).toEqual(wikis.toSorted());
      expect(byDefault).toMatch(/^[a-z0-9-]+$/);
      expect((await wiki.run('list_pages', { wiki: 'second-1' })).pages.map((page) => page.path)).toEqual([
        'Home',
        'How this wiki works',
      ]);
      expect(await wiki.run('wiki_status', { wiki: 'second-1' })).toMatchObject({
        head: made.commit,
        problems: expect.any(Array),
        clone: made.clone,
      });
      const [entry] = (await wiki.run('get_history', { wiki: 'second-1' })).entries;
      expect(entry?.author).toBe('Ada Lovelace <ada@example.org>');
      expect(await wiki.paths()).toEqual(['P']);
    });

    test('a wiki that is there is refused, but a repeated request finds what it made', async () => {
      const wiki = await openTestWiki(backend);
      const request = { wiki: 'second-2', request_id: 'create-once' };
      const made = await wiki.run('create_wiki', request);
      await wiki.run('append_to_page', { wiki: 'second-2', path: 'Home', content: 'x' });
      expect(await wiki.run('create_wiki', request)).toEqual(made);
      expect((await wiki.refused('create_wiki', { wiki: 'second-2' })).message).toBe(
        'already_exists: There is a wiki "second-2" already. Nothing was changed. Pass wiki: "second-2" to work in it, or choose another name.',
      );
      for (const name of ['Second', '../x', 'a.git', '', 'x'.repeat(65)]) {
        expect((await wiki.refused('create_wiki', { wiki: name })).code).toBe('invalid_input');
      }
    });

    test('only one of two simultaneous calls creates the wiki', async () => {
      const wiki = await openTestWiki(backend);
      const made = await Promise.allSettled(
        [1, 2, 3].map(() => wiki.run('create_wiki', { wiki: 'second-3' })),
      );
      expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect((await wiki.run('get_history', { wiki: 'second-3' })).entries).toHaveLength(1);
    });
  });
}
