import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** list_pages, and the filters that search_pages has too. */
export function listingSuite(backend: Backend): void {
  describe('list_pages', () => {
    const files = {
      'A.md': '---\ntags: red\n---\n# Zebra\n',
      'B/C.md': '#blue text\n',
      'B/D.md': '# Apple #red\n',
      'image.png': 'no page',
    };

    test('lists every page, in order of path or title, below a prefix or with a tag', async () => {
      const wiki = await openTestWiki(backend, files);
      const all = await wiki.run('list_pages', {});
      expect(all).toMatchObject({ total: 3, next_cursor: null });
      expect(all.pages.map(({ path, title }) => [path, title])).toEqual([
        ['A', 'Zebra'],
        ['B/C', 'C'],
        ['B/D', 'Apple #red'],
      ]);
      expect(all.pages[0]?.version).toBe(await wiki.git('rev-parse', 'main:A.md'));
      const paths = async (query: object) =>
        (await wiki.run('list_pages', query)).pages.map((page) => page.path);
      expect(await paths({ prefix: 'B/' })).toEqual(['B/C', 'B/D']);
      expect(await paths({ tag: 'red' })).toEqual(['A', 'B/D']);
      expect(await paths({ tag: '', prefix: '' })).toEqual(await paths({}));
      expect(await paths({ sort: 'title' })).toEqual(['B/D', 'B/C', 'A']);
      expect(await paths({ prefix: '%' })).toEqual([]);
    });

    test('lists the newest change first, and what changed since a date', async () => {
      const wiki = await openTestWiki(backend, files);
      await wiki.run('append_to_page', { path: 'B/C', content: 'more' });
      const newest = await wiki.run('list_pages', { sort: 'updated', limit: 1 });
      expect(newest.pages[0]?.path).toBe('B/C');
      const since = await wiki.run('list_pages', { updated_since: '2024-01-01' });
      expect(since.pages.map((page) => page.path)).toEqual(['B/C']);
      const before = await wiki.run('list_pages', { updated_until: 'last week' });
      expect(before.pages.map((page) => page.path)).toEqual(['A', 'B/D']);
      const recent = await wiki.run('list_pages', { updated_since: 'yesterday', updated_until: 'today' });
      expect(recent.pages.map((page) => page.path)).toEqual(['B/C']);
    });

    test('leaves out folders that begin with a dot unless they are asked for', async () => {
      const wiki = await openTestWiki(backend, {
        'A.md': 'word',
        '.notes/B.md': 'word',
        'c/.d/E.md': 'word',
      });
      const both = async (query: object) => {
        const listed = (await wiki.run('list_pages', query)).pages.map(({ path }) => path);
        for (const mode of ['words', 'regex'] as const) {
          const { hits, total } = await wiki.run('search_pages', { query: 'word', mode, ...query });
          expect([hits.map(({ path }) => path), total]).toEqual([listed, listed.length]);
        }
        return listed;
      };
      expect(await both({})).toEqual(['A']);
      expect(await both({ prefix: 'c/' })).toEqual([]);
      expect(await both({ prefix: '.notes/' })).toEqual(['.notes/B']);
      expect(await both({ prefix: 'c/.d' })).toEqual(['c/.d/E']);
    });

    test('finds pages by the author and the agent of their last change', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'word', 'B.md': 'word', 'C.md': 'word' });
      await wiki.as('Grace', 'claude/2').run('append_to_page', { path: 'A', content: 'by Grace' });
      await wiki.run('append_to_page', { path: 'B', content: 'by Grace' });
      await wiki.as('Alan', null).run('append_to_page', { path: 'B', content: 'by Alan' });
      const found = async (query: object) => {
        const answers: string[][] = [];
        for (const mode of ['words', 'regex'] as const) {
          const { hits, total } = await wiki.run('search_pages', { query: 'word', mode, ...query });
          expect(hits).toHaveLength(total);
          answers.push(hits.map(({ path }) => path).toSorted());
        }
        answers.push((await wiki.run('list_pages', query)).pages.map(({ path }) => path));
        expect(answers).toEqual(answers.map(() => answers[0]));
        return answers[0];
      };
      expect(await found({ author: 'grace' })).toEqual(['A']);
      expect(await found({ author: 'ALAN@example' })).toEqual(['B']);
      expect(await found({ agent: 'CLAUDE' })).toEqual(['A']);
      expect(await found({ author: 'alan', agent: 'claude' })).toEqual([]);
      expect(await found({ author: '', agent: '' })).toEqual(['A', 'B', 'C']);
      expect(await found({ author: 'grace', updated_until: 'yesterday' })).toEqual([]);
      const { next_cursor } = await wiki.run('search_pages', { query: 'word', limit: 1 });
      const other = await wiki.refused('search_pages', { query: 'word', author: 'x', cursor: next_cursor });
      expect(other.code).toBe('invalid_input');
    });

    test('finds pages by a property of their frontmatter', async () => {
      const wiki = await openTestWiki(backend, {
        'A.md': '---\nstatus: Draft\nreviewers: [Ada, Grace]\n---\nword',
        'B.md': '---\nstatus: done\ncount: 3\nisOpen: false\n---\nword',
        'C.md': 'status: draft word',
      });
      const both = async (property: string) => {
        const listed = (await wiki.run('list_pages', { property })).pages.map(({ path }) => path);
        const { hits } = await wiki.run('search_pages', { query: 'word', property });
        expect(hits.map(({ path }) => path).toSorted()).toEqual(listed);
        return listed;
      };
      expect(await both('status: draft')).toEqual(['A']);
      expect(await both('status=draft')).toEqual(['A']);
      expect(await both('Status')).toEqual(['A', 'B']);
      expect(await both('reviewers: grace')).toEqual(['A']);
      expect(await both('count:3')).toEqual(['B']);
      expect(await both('isopen: false')).toEqual(['B']);
      expect(await both('status: dra')).toEqual([]);
    });

    test('finds pages by any of very many properties', async () => {
      const lines = Array.from({ length: 1_000 }, (_, at) => `key${at}: value ${at}`);
      const list = Array.from({ length: 1_000 }, (_, at) => `- item ${at}`);
      const wiki = await openTestWiki(backend, {
        'A.md': `---\n${lines.join('\n')}\n---\nword`,
        'B.md': `---\nitems:\n${list.join('\n')}\n---\nword`,
      });
      const paths = async (property: string) =>
        (await wiki.run('list_pages', { property })).pages.map(({ path }) => path);
      expect(await paths('key199: value 199')).toEqual(['A']);
      expect(await paths('key999: value 999')).toEqual(['A']);
      expect(await paths('items: item 999')).toEqual(['B']);
    });

    test('goes on from a cursor, which keeps to its commit and its query', async () => {
      const wiki = await openTestWiki(backend, files);
      const first = await wiki.run('list_pages', { limit: 2 });
      expect(first.next_cursor).not.toBeNull();
      await wiki.write('AA', 'new');
      const rest = await wiki.run('list_pages', { limit: 2, cursor: first.next_cursor ?? '' });
      expect([...first.pages, ...rest.pages].map((page) => page.path)).toEqual(['A', 'B/C', 'B/D']);
      expect([rest.commit, rest.next_cursor]).toEqual([first.commit, null]);
      const other = await wiki.refused('list_pages', { prefix: 'B', cursor: first.next_cursor });
      expect(other.code).toBe('invalid_input');
    });

    test('a search gives ten pages unless it is asked for more, a list fifty', async () => {
      const pages = Array.from({ length: 60 }, (_, at) => [`P${at}.md`, `word ${at}\n`]);
      const wiki = await openTestWiki(backend, Object.fromEntries(pages));
      expect((await wiki.run('search_pages', { query: 'word' })).hits).toHaveLength(10);
      expect((await wiki.run('search_pages', { query: 'word', limit: 30 })).hits).toHaveLength(30);
      expect((await wiki.run('list_pages', {})).pages).toHaveLength(50);
    });

    test('is empty for an empty wiki', async () => {
      const wiki = await openTestWiki(backend);
      expect(await wiki.run('list_pages', {})).toEqual({
        commit: null,
        pages: [],
        total: 0,
        next_cursor: null,
      });
    });
  });
}
