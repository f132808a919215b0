import { describe, expect, test } from 'vitest';
import { limits } from '../../../src/contract/limits.ts';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** view_page, preview_page and list_changed: what the pages for people are made of. */
export function viewingSuite(backend: Backend): void {
  describe('preview_page', () => {
    test('shows a text that is not written, with its links from where the page is or would be', async () => {
      const wiki = await openTestWiki(backend, { 'Guides/One.md': '# One\n', 'Guides/a.png': 'x' });
      const head = await wiki.head();
      const content = '---\ntags: [x]\n---\n# New\n\n[[One]] [[Later]] ![[a.png]] [[b.png]] [[../odd|c]]\n';
      const to = { page: null, file: null, anchor: null };
      expect(await wiki.run('preview_page', { path: 'Guides/Two', content })).toEqual({
        commit: head,
        path: 'Guides/Two',
        title: 'New',
        frontmatter: { tags: ['x'] },
        tags: ['x'],
        links: [
          { ...to, written: '[[One]]', page: 'Guides/One' },
          { ...to, written: '[[Later]]', missing: 'Guides/Later' },
          { ...to, written: '![[a.png]]', file: 'Guides/a.png' },
          { ...to, written: '[[b.png]]' },
          { ...to, written: '[[../odd|c]]', missing: 'odd' },
        ],
        notes: [],
        version: null,
        merged: null,
      });
      expect(await wiki.head()).toBe(head);
    });

    test('merges the text with what was written since the version that it was made from', async () => {
      const wiki = await openTestWiki(backend, { 'One.md': '\uFEFFa\r\nb\r\nc\r\nd\r\n' });
      const { page } = await wiki.run('view_page', { path: 'One' });
      const base = page?.version ?? '';
      const preview = (content: string) => wiki.run('preview_page', { path: 'One', content, base });
      expect((await preview('a\r\nb\r\nc\r\nD\r\n')).merged).toBeNull();
      const content = 'A\r\nb\r\nc\r\nd\r\n';
      const written = await wiki.run('write_page', { path: 'One', content, version: base });
      expect(await preview('a\r\nb\r\nc\r\nD\r\n')).toMatchObject({
        version: written.version,
        merged: { content: 'A\r\nb\r\nc\r\nD\r\n', conflicts: 0 },
      });
      expect((await preview('B\r\nb\r\nc\r\nd\r\n')).merged).toEqual({
        content: '<<<<<<< yours\nB\r\n=======\nA\r\n>>>>>>> theirs\nb\r\nc\r\nd\r\n',
        conflicts: 1,
      });
    });

    test('refuses what write_page would refuse for its size', async () => {
      const wiki = await openTestWiki(backend, {});
      const content = 'x'.repeat(limits.pageBytes + 1);
      expect((await wiki.refused('preview_page', { path: 'One', content })).code).toBe('too_large');
    });
  });

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
          { ...to, written: '[gone](no.md)', missing: 'Guides/no' },
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

    test('gives with a part the definitions that it names, which stand elsewhere', async () => {
      const page = [
        '# One\n\n[Ref One]: https://a.test/one\n[unused]: https://a.test\n',
        '```\n[in code]: https://a.test/code\n```\n',
        '## Part\n\nSee [ref  one], [it][TWO], [own], [in code] and this[^n].\n\n[own]: https://a.test/own\n',
        '## Next\n\n[^n]: A note\nof two lines[^m].\n\n    Its second part.\n\nNo note.\n\n[^m]: Another.\n[^x]: No.\n',
        '[two]:\n  https://a.test/two\n  "Two"\n\n[own]: https://a.test/other\n',
      ].join('\n');
      const wiki = await openTestWiki(backend, { 'One.md': page });
      const { page: part } = await wiki.run('view_page', { path: 'One', anchor: 'Part' });
      expect(part?.content.split('[own]: https://a.test/own\n')[1]?.trim().split(/\n{3}/)).toEqual([
        '[Ref One]: https://a.test/one',
        '[two]:\n  https://a.test/two\n  "Two"',
        '[^n]: A note\nof two lines[^m].\n\n    Its second part.',
        '[^m]: Another.',
      ]);
    });

    test('says that the frontmatter cannot be read', async () => {
      const wiki = await openTestWiki(backend, { 'One.md': '---\na: [\n---\ntext\n' });
      const { page } = await wiki.run('view_page', { path: 'One' });
      expect(page?.notes).toEqual([expect.stringMatching(/^The frontmatter is no valid YAML \(line \d/)]);
    });
  });

  describe('list_changed', () => {
    test('names what differs from a commit that the caller knows, and both ends of a move', async () => {
      const wiki = await openTestWiki(backend, { 'One.md': 'one\n', 'In/Two.md': 'two\n', 'Three.md': 'x' });
      const first = (await wiki.head()) ?? '';
      const nothing = { pages: [], files: [], complete: true };
      expect(await wiki.run('list_changed', {})).toEqual({ commit: first, ...nothing });
      expect(await wiki.run('list_changed', { known: first })).toEqual({ commit: first, ...nothing });
      await wiki.run('append_to_page', { path: 'One', content: 'more' });
      await wiki.run('move_page', { path: 'In/Two', new_path: 'Zwei' });
      const content = Buffer.from('x').toString('base64');
      await wiki.run('put_attachment', { path: 'a.png', content });
      expect(await wiki.run('list_changed', { known: first })).toEqual({
        ...{ commit: await wiki.head(), complete: true },
        ...{ pages: ['In/Two', 'One', 'Zwei'], files: ['a.png'] },
      });
      expect((await wiki.refused('list_changed', { known: 'f'.repeat(40) })).code).toBe('not_found');
    });

    test('says so if more changed than it names, and an empty wiki has no commit', async () => {
      const wiki = await openTestWiki(backend, { 'One.md': 'one' });
      const first = (await wiki.head()) ?? '';
      const changes = Array.from({ length: 200 }, (_, at) => {
        return { op: 'write' as const, path: `p${at}`, content: 'x' };
      });
      await wiki.run('commit_changes', { message: 'Many', changes });
      expect((await wiki.run('list_changed', { known: first })).complete).toBe(true);
      await wiki.write('One more', 'x');
      const { pages, complete } = await wiki.run('list_changed', { known: first });
      expect([pages.length, complete]).toEqual([200, false]);
      const empty = await openTestWiki(backend);
      expect((await empty.run('list_changed', {})).commit).toBeNull();
    });
  });
}
