import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** view_page, list_folder, list_tags: what the pages for people are made of. */
export function viewingSuite(backend: Backend): void {
  describe('view_page', () => {
    test('gives the page with everything around it', async () => {
      const text = '---\ntags: [Guide]\n---\n# One\n\n[[Two|b]] [gone](no.md) ![[a.png]] [[Two#Part]] #new\n';
      const wiki = await openTestWiki(backend, {
        'Guides/One.md': text,
        'Guides/a.png': 'x',
        'Two.md': '# Two\n\n## Part\n\nSee [[One]], again [[One]].\n\nAnd [here](Guides/One.md).\n',
      });
      await wiki.as('Grace', 'claude/2').run('append_to_page', { path: 'Guides/One', content: 'more' });
      const { page, commit } = await wiki.run('view_page', { path: 'Guides/One' });
      const to = { page: null, file: null, anchor: null };
      expect(page).toMatchObject({
        path: 'Guides/One',
        title: 'One',
        content: `${text}more\n`,
        frontmatter: { tags: ['Guide'] },
        tags: ['Guide', 'new'],
        links: [
          { ...to, written: '[[Two|b]]', page: 'Two' },
          { ...to, written: '[gone](no.md)' },
          { ...to, written: '![[a.png]]', file: 'Guides/a.png' },
          { ...to, written: '[[Two#Part]]', page: 'Two', anchor: 'Part' },
        ],
        linked_from: [
          { path: 'Two', line: 5, text: 'See [[One]], again [[One]].' },
          { path: 'Two', line: 7, text: 'And [here](Guides/One.md).' },
        ],
        linked_from_total: 2,
        last_change: { commit, author: 'Grace', agent: 'claude/2' },
        notes: [],
      });
      expect(commit).toBe(await wiki.head());
      expect(page?.version).toBe(await wiki.git('rev-parse', 'main:Guides/One.md'));
    });

    test('gives the whole text of a page that no reply of a tool could hold', async () => {
      const text = 'line\n'.repeat(40_000);
      const wiki = await openTestWiki(backend, { 'Long.md': text });
      const { page } = await wiki.run('view_page', { path: 'Long' });
      expect(page?.content === text).toBe(true);
    });

    test('finds a linking line behind many others, and keeps nothing else of its page', async () => {
      const page = `[[T]]${'\n'.repeat(300_000)}   ${'x'.repeat(400)} [[T]]`;
      const files = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`p${at}.md`, page]));
      const wiki = await openTestWiki(backend, { ...files, 'T.md': 'x' });
      const { page: viewed } = await wiki.run('view_page', { path: 'T' });
      expect(viewed?.linked_from.slice(0, 2)).toEqual([
        { path: 'p0', line: 1, text: '[[T]]' },
        { path: 'p0', line: 300_001, text: `${'x'.repeat(300)}...` },
      ]);
      expect(viewed?.linked_from_total).toBe(40);
    });

    test('gives the sizes of images, of a past page as they were, and leaves out those that it cannot find', async () => {
      const image = (width: number) =>
        `GIF89a${String.fromCharCode(width, 0, 20, 0)}${'\x01'.repeat(200_000)}`;
      const wiki = await openTestWiki(backend, {
        'One.md': '![[a.gif]] ![b](in/b.gif) <img src="a.gif"> ![[c.gif]] ![[Two]] ![[no.gif]]\n',
        'a.gif': image(30),
        'in/b.gif': image(40),
        'c.gif': 'no image',
        'Two.md': '![[a.gif]]\n',
      });
      const sizes = async (at?: string) =>
        (await wiki.run('view_page', { path: 'One', at })).page?.links.map(({ size }) => size?.width);
      const none = undefined;
      expect(await sizes()).toEqual([30, 40, 30, none, none, none]);
      const past = (await wiki.head()) ?? '';
      const { version } = await wiki.run('get_attachment', { path: 'a.gif' });
      const content = Buffer.from(image(50)).toString('base64');
      await wiki.run('put_attachment', { path: 'a.gif', content, version });
      await wiki.run('move_page', { path: 'One', new_path: 'Moved/One' });
      expect(await sizes(past)).toEqual([30, 40, 30, none, none, none]);
      const { page } = await wiki.run('view_page', { path: 'Moved/One' });
      expect(page?.links[0]?.size).toEqual({ width: 50, height: 20 });
    });

    test('is answered without the page if the caller knows the newest commit', async () => {
      const wiki = await openTestWiki(backend, { 'One.md': 'x' });
      const { commit } = await wiki.run('view_page', { path: 'One' });
      expect(await wiki.run('view_page', { path: 'One', known: commit })).toEqual({ commit, page: null });
      await wiki.write('Two', 'y');
      expect((await wiki.run('view_page', { path: 'One', known: commit })).page?.content).toBe('x');
    });

    test('shows a past page as it was, with the change that made it and links to what is there today', async () => {
      const wiki = await openTestWiki(backend, { 'One.md': '[[Two]]\n', 'Two.md': '[[One]]' });
      const first = await wiki.head();
      await wiki.run('edit_page', { path: 'One', edits: [{ old_string: 'Two', new_string: 'None' }] });
      await wiki.run('move_page', { path: 'Two', new_path: 'In/Two' });
      const { page, commit } = await wiki.run('view_page', { path: 'One', at: first ?? '' });
      expect(commit).toBe(first);
      expect(page).toMatchObject({ content: '[[Two]]\n', links: [{ page: 'In/Two' }], linked_from: [] });
      expect(page?.last_change?.commit).toBe(first);
    });

    test('names the path that a past page has today, even if another page took its old one', async () => {
      const text = 'a text that is long enough to be known again\n';
      const wiki = await openTestWiki(backend, { 'One.md': text, 'Two.md': `${text}but this is another\n` });
      const at = (await wiki.head()) ?? '';
      const now = async (path: string) => (await wiki.run('view_page', { path, at })).page?.path_now;
      expect(await now('One')).toBe('One');
      await wiki.run('move_page', { path: 'One', new_path: 'Aside' });
      await wiki.run('move_page', { path: 'Two', new_path: 'One' });
      await wiki.run('move_page', { path: 'Aside', new_path: 'Two' });
      expect([await now('One'), await now('Two')]).toEqual(['Two', 'One']);
      expect((await wiki.run('view_page', { path: 'One' })).page?.path_now).toBe('One');
      const { version } = await wiki.run('read_page', { path: 'Two' });
      await wiki.run('delete_page', { path: 'Two', version });
      expect([await now('One'), await now('Two')]).toEqual([null, 'One']);
    });

    test('gives the folders from the root to the page, each with its names near the way', async () => {
      const wiki = await openTestWiki(backend, {
        'Home.md': 'x',
        'a/Other.md': 'x',
        'a/chart.png': 'x',
        'a/b/Page.md': 'x',
        'z/Away.md': 'x',
      });
      const first = (await wiki.head()) ?? '';
      const around = [
        { folders: ['a', 'z'], pages: ['Home'], more: 0 },
        { folders: ['b'], pages: ['Other'], more: 0 },
        { folders: [], pages: ['Page'], more: 0 },
      ];
      const folders = async (path: string, at?: string) =>
        (await wiki.run('view_page', { path, at })).page?.around;
      expect(await folders('Home')).toEqual(around.slice(0, 1));
      expect(await folders('a/b/Page')).toEqual(around);
      expect((await wiki.run('list_folder', { folder: 'a/b' })).around).toEqual(around);
      expect((await wiki.run('view_page', { path: 'Home', anchor: '' })).page?.around).toBeUndefined();
      await wiki.run('move_page', { path: 'a/b/Page', new_path: 'Page' });
      expect(await folders('a/b/Page', first)).toEqual([
        { folders: ['a', 'z'], pages: ['Home', 'Page'], more: 0 },
      ]);
      const { version } = await wiki.run('read_page', { path: 'Page' });
      await wiki.run('delete_page', { path: 'Page', version });
      expect(await folders('a/b/Page', first)).toEqual([around[0], { ...around[1], folders: [] }]);
    });

    test('gives the part that an embed names, or an error that says what is missing', async () => {
      const wiki = await openTestWiki(backend, { 'One.md': '# One\n\n## Part\n\ntext\n\n## Next\n' });
      const { page } = await wiki.run('view_page', { path: 'One', anchor: 'Part' });
      expect(page?.content).toBe('## Part\n\ntext\n\n');
      expect((await wiki.refused('view_page', { path: 'One', anchor: 'No' })).code).toBe('no_match');
      expect((await wiki.refused('view_page', { path: 'Ones' })).data.near).toEqual(['One']);
    });

    test('says that the frontmatter cannot be read', async () => {
      const wiki = await openTestWiki(backend, { 'One.md': '---\na: [\n---\ntext\n' });
      const { page } = await wiki.run('view_page', { path: 'One' });
      expect(page?.notes).toEqual([expect.stringMatching(/^The frontmatter is no valid YAML \(line \d/)]);
    });
  });

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
}
