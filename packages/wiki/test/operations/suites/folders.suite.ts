import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** list_folder and list_folders. */
export function foldersSuite(backend: Backend): void {
  describe('list_folder', () => {
    test('names what lies directly in a folder, now and at a commit', async () => {
      const wiki = await openTestWiki(backend, {
        'a/Cafe\u0301.md': 'x',
        'a/b/C.md': 'x',
        'a/chart.png': 'x',
        'a/.hidden.md': 'x',
        'Top.md': 'x',
      });
      const first = await wiki.head();
      const inside = { folders: ['b'], pages: ['Caf\u00e9'], files: ['chart.png'] };
      expect(await wiki.run('list_folder', { folder: 'a' })).toMatchObject(inside);
      await wiki.write('a/New', 'x');
      expect(await wiki.run('list_folder', { folder: 'a', at: first ?? '' })).toMatchObject(inside);
      const root = await wiki.run('list_folder', {});
      expect(root).toEqual({
        ...{ commit: await wiki.head(), folders: ['a'], pages: ['Top'], files: [], around: [] },
      });
    });

    test('says that there is no such folder, and an empty wiki has an empty root', async () => {
      const wiki = await openTestWiki(backend, { 'Top.md': 'x' });
      expect((await wiki.refused('list_folder', { folder: 'Top' })).code).toBe('not_found');
      expect((await wiki.refused('list_folder', { folder: '../x' })).code).toBe('invalid_path');
      const empty = await openTestWiki(backend);
      const nothing = { commit: null, folders: [], pages: [], files: [], around: [] };
      expect(await empty.run('list_folder', {})).toEqual(nothing);
    });
  });

  describe('list_folders', () => {
    test('counts the pages in and below each folder, some levels deep, now and in the past', async () => {
      const wiki = await openTestWiki(backend, {
        'Top.md': 'x',
        'a/One.md': 'x',
        'a/b/Two.md': 'x',
        'a/b/c/Three.md': 'x',
        'a/.hidden/Four.md': 'x',
        'ab/Five.md': 'x',
        'files/a.png': 'x',
      });
      await wiki.write('a/b/New', 'x');
      const counted = async (input: object) => {
        const { folders, total } = await wiki.run('list_folders', input);
        expect(folders).toHaveLength(total);
        return folders.map(({ path, pages }) => `${path} ${pages}`);
      };
      expect(await counted({})).toEqual(['a 4', 'a/b 3', 'ab 1']);
      expect(await counted({ depth: 1 })).toEqual(['a 4', 'ab 1']);
      expect(await counted({ folder: 'a', depth: 10 })).toEqual(['a/b 3', 'a/b/c 1']);
      expect(await counted({ at: 'yesterday' })).toEqual(['a 3', 'a/b 2', 'ab 1']);
      expect(await counted({ folder: 'a/.hidden' })).toEqual([]);
      expect(await counted({ folder: 'files' })).toEqual([]);
      expect((await wiki.refused('list_folders', { folder: 'none' })).code).toBe('not_found');
      expect((await wiki.refused('list_folders', { depth: 11 })).code).toBe('invalid_input');
      expect(await (await openTestWiki(backend)).run('list_folders', {})).toMatchObject({
        folders: [],
        total: 0,
      });
    });

    test('leaves out the deepest where they do not all fit', async () => {
      const long = 'x'.repeat(120);
      const paths = Array.from({ length: 300 }, (_, at) => [`${long}${at}/y/P.md`, 'x'] as const);
      const wiki = await openTestWiki(backend, Object.fromEntries(paths));
      const { folders, total } = await wiki.run('list_folders', {});
      expect(total).toBe(600);
      expect(folders.length).toBeLessThan(600);
      const levels = folders.map(({ path }) => path.split('/').length);
      expect(
        levels.filter((level) => level === 2).length === 0 ||
          levels.filter((level) => level === 1).length === 300,
      ).toBe(true);
    });
  });

  test('view_commit lists every page and file of a commit, 500 at a time, and what it replaced', async () => {
    const pages = Array.from({ length: 520 }, (_, at) => `p${String(at).padStart(3, '0')}`);
    const wiki = await openTestWiki(backend, {
      ...Object.fromEntries(pages.map((path) => [`${path}.md`, `text of ${path}`])),
      'in/map.png': 'old',
    });
    const first = (await wiki.head()) ?? '';
    const begun = await wiki.run('view_commit', { commit: first });
    expect(begun).toMatchObject({ commit: first, message: 'Begin', before: null, total: 521 });
    expect(begun.changes.map(({ path }) => path)).toEqual(pages.slice(0, 500));
    const rest = await wiki.run('view_commit', { commit: first, cursor: begun.next_cursor ?? '' });
    expect(rest.next_cursor).toBeNull();
    expect(rest.changes.length).toBe(21);
    expect(rest.changes.at(-1)).toEqual({ path: 'in/map.png', is_page: false, action: 'added' });

    const { version } = await wiki.run('get_attachment', { path: 'in/map.png' });
    const content = Buffer.from('new').toString('base64');
    const put = await wiki.run('put_attachment', { path: 'in/map.png', content, version });
    const replaced = await wiki.run('view_commit', { commit: put.commit?.slice(0, 12) ?? '' });
    expect(replaced).toMatchObject({
      ...{ commit: put.commit, before: first, author: 'Ada Lovelace <ada@example.org>', agent: 'test/1.0' },
      ...{ total: 1, leaves_out_files: false, next_cursor: null },
      changes: [{ path: 'in/map.png', is_page: false, action: 'modified' }],
    });
    expect((await wiki.refused('view_commit', { commit: 'ffff' })).code).toBe('not_found');
  });

  test('list_tags gives a thousand tags at a time, of a page the first 10,000', async () => {
    const tags = Array.from({ length: 10_100 }, (_, at) => `#t${String(at).padStart(5, '0')}`);
    const wiki = await openTestWiki(backend, { 'One.md': tags.join(' ') });
    const first = await wiki.run('list_tags', {});
    expect(first).toMatchObject({ total: 10_000 });
    expect(first.tags.map(({ tag }) => `#${tag}`)).toEqual(tags.slice(0, 1_000));
    const next = await wiki.run('list_tags', { cursor: first.next_cursor ?? '' });
    expect(next.tags[0]).toEqual({ tag: 't01000', pages: 1 });
    await expect(wiki.run('list_tags', { cursor: 'x' })).rejects.toThrow(/^invalid_input: /);
  });

  test('list_tags counts the pages of each tag', async () => {
    const wiki = await openTestWiki(backend, {
      'One.md': '---\ntags: [Guide, b/c]\n---\n#guide #Guide\n',
      'Two.md': '#guide',
    });
    expect((await wiki.run('list_tags', {})).tags).toEqual([
      { tag: 'b/c', pages: 1 },
      { tag: 'guide', pages: 2 },
    ]);
    expect(await (await openTestWiki(backend)).run('list_tags', {})).toEqual({
      ...{ commit: null, tags: [], total: 0, next_cursor: null },
    });
  });

  test('list_tags counts the pages that list_pages lists by the tag, so none in a dot folder', async () => {
    const wiki = await openTestWiki(backend, {
      'One.md': '#guide',
      '.templates/Two.md': '#guide #template',
      'Three.md': '#later',
      'a/.kept/Four.md': '#later',
    });
    const { tags, total } = await wiki.run('list_tags', {});
    expect(tags).toEqual([
      { tag: 'guide', pages: 1 },
      { tag: 'later', pages: 1 },
    ]);
    expect(total).toBe(2);
    for (const { tag, pages } of tags) expect((await wiki.run('list_pages', { tag })).total).toBe(pages);
  });
}
