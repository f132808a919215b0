import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** Destinations of Markdown links as other programs write and read them. */
export function destinationsSuite(backend: Backend): void {
  describe('a destination that belongs to another program', () => {
    const foreign = [
      '@/pages/about.md',
      '@site/docs/x.md',
      '$' + '{x}/b.md',
      '{{site.url}}/b.md',
      'blog/{{x}}.md',
      '%PUBLIC_URL%/b.md',
      '~/b.md',
      'C:\\b.md',
      'c:b.md',
      'sub\\b.md',
      '!!raw!./b.md',
      'a|b.md',
      '*.md',
      '$x.md',
      '\\<x>/b.md',
      '%7B%7Bx%7D%7D/b.md',
      '?page=2',
      '?page=2#part',
      'www.example.org/b.md',
    ];

    test('stays byte for byte when its page or folder moves', async () => {
      const links = foreign.map(
        (written, at) => `[a](${written}) ![a](${written})\n\n[r${at}]: ${written}\n`,
      );
      const text = links.join('\n');
      const wiki = await openTestWiki(backend, {
        'content/blog/post.md': text,
        'content/pages/about.md': '',
      });
      const to = 'content/blog/2026/post';
      const moved = await wiki.run('move_page', { path: 'content/blog/post', new_path: to });
      expect(moved.retargeted).toBeUndefined();
      expect(await wiki.content(to)).toBe(text);
      await wiki.run('move_page', { path: 'content/blog/', new_path: 'notes/' });
      expect(await wiki.content('notes/2026/post')).toBe(text);
    });

    test('does not stop a link to a missing page from naming it after a move', async () => {
      const wiki = await openTestWiki(backend, { 'a/p.md': '[a](b/new.md) [c](.github/new.md) [[./new]]\n' });
      await wiki.run('move_page', { path: 'a/p', new_path: 'p' });
      expect(await wiki.content('p')).toBe('[a](a/b/new.md) [c](a/.github/new.md) [[./a/new]]\n');
    });
  });

  test('a page with frontmatter in TOML keeps it byte for byte', async () => {
    const toml =
      '+++\n# No heading\ntitle = "A"\ntags = ["#no-tag"]\n[[resources]]\nsrc = "[x](resources.md)"\n+++\n\n';
    const wiki = await openTestWiki(backend, {
      'posts/a.md': `${toml}# Title\n\n[[resources]]\n`,
      'resources.md': '# R\n',
      'posts/b.md': '+++\nno end [[resources]]\n',
    });
    expect(await wiki.run('read_page', { path: 'posts/a' })).toMatchObject({
      title: 'Title',
      outline: [{ level: 1, text: 'Title', line: 9 }],
    });
    await wiki.run('move_page', { path: 'resources', new_path: 'assets' });
    expect(await wiki.content('posts/a')).toBe(`${toml}# Title\n\n[[assets]]\n`);
    expect(await wiki.content('posts/b')).toBe('+++\nno end [[assets]]\n');
  });

  describe('a query', () => {
    const files = {
      'blog/post.md':
        '![s](shot.png?raw=true) [g](../docs/guide.md?plain=1&x=%20#L1) [r]\n\n[r]: ../x.png?v=2\n',
      'docs/guide.md': '# Guide\n',
      'blog/shot.png': 'image',
      'x.png': 'image',
    };

    test('is a part beside the path, and stays when the link is rewritten', async () => {
      const wiki = await openTestWiki(backend, { ...files, 'q.md': '[s](blog/shot.png?raw=true)\n' });
      const { attachments, links_to, broken } = await wiki.run('get_links', { path: 'blog/post' });
      expect({ attachments, links_to, broken }).toEqual({
        attachments: ['blog/shot.png', 'x.png'],
        links_to: ['docs/guide'],
        broken: [],
      });
      expect((await wiki.run('get_links', { path: 'docs/guide' })).linked_from).toEqual(['blog/post']);
      expect(
        (await wiki.run('check_wiki', { kinds: ['broken_link', 'broken_anchor'] })).findings,
      ).toMatchObject([{ kind: 'broken_anchor', path: 'blog/post' }]);
      await wiki.run('move_page', { path: 'blog/post', new_path: 'blog/2026/post' });
      expect(await wiki.content('blog/2026/post')).toBe(
        '![s](../shot.png?raw=true) [g](../../docs/guide.md?plain=1&x=%20#L1) [r]\n\n[r]: ../../x.png?v=2\n',
      );
      await wiki.run('move_page', { path: 'docs/guide', new_path: 'The Guide' });
      expect(await wiki.content('blog/2026/post')).toContain('[g](../../The%20Guide.md?plain=1&x=%20#L1)');
      expect(await wiki.content('q')).toBe('[s](blog/shot.png?raw=true)\n');
    });

    test('stays in a link to a missing page too', async () => {
      const wiki = await openTestWiki(backend, { 'blog/post.md': '[n](new.md?plain=1#part)\n' });
      await wiki.run('move_page', { path: 'blog/post', new_path: 'post' });
      expect(await wiki.content('post')).toBe('[n](blog/new.md?plain=1#part)\n');
    });

    test('is a part of the name if a file has that name', async () => {
      const wiki = await openTestWiki(backend, {
        'p.md': '[a](img.png?v=2) [b](img.png%3Fv=2) [c](img.png?v=3) [d](img.png%3Fv=3) [e](What?)\n',
        'img.png?v=2': 'two',
        'img.png': 'one',
        'What?.md': 'what',
      });
      const { attachments, links_to, broken } = await wiki.run('get_links', { path: 'p' });
      expect({ attachments, links_to, broken }).toEqual({
        attachments: ['img.png', 'img.png?v=2'],
        links_to: ['What?'],
        broken: [{ target: 'img.png?v=3', line: 1 }],
      });
      await wiki.run('move_page', { path: 'What?', new_path: 'a/Why' });
      await wiki.run('move_page', { path: 'p', new_path: 'b/p' });
      expect(await wiki.content('b/p')).toBe(
        '[a](../img.png%3Fv=2) [b](../img.png%3Fv=2) [c](img.png?v=3) [d](../img.png%3Fv=3) [e](../a/Why)\n',
      );
    });
  });

  describe('a file that takes a link from a page of the same name', () => {
    test('is distinguished from it by the extension of the page', async () => {
      const wiki = await openTestWiki(backend, { 'chart.png.md': 'page\n', 'a.md': '![[chart.png]]\n' });
      const content = Buffer.from('image').toString('base64');
      const { retargeted, version } = await wiki.run('put_attachment', { path: 'chart.png', content });
      expect(retargeted).toEqual([
        { page: 'a', link: '![[chart.png]]', old_target: 'chart.png.md', new_target: 'chart.png' },
      ]);
      const gone = await wiki.run('delete_attachment', { path: 'chart.png', version: version ?? '' });
      expect(gone.retargeted).toMatchObject([{ old_target: 'chart.png', new_target: 'chart.png.md' }]);
    });
  });

  describe('a link to a folder', () => {
    test('on a page elsewhere still names it after it moved and moved back', async () => {
      const home =
        '[x](docs/) [y](docs) [z](./docs/#top) <a href="docs/sub/">q</a> [[./docs/]] [d](docs/none.md) [e](docs/sub)\n\n[r]: docs/\n';
      const files = { 'Home.md': home, 'a/b/p.md': '[x](../../docs/) [s](../docs/)\n', 'docs/sub/c.md': 'c' };
      const wiki = await openTestWiki(backend, { ...files, 'e/guide.md': 'a page of that name' });
      const moved = await wiki.run('move_page', { path: 'docs/', new_path: 'n/guide/' });
      expect(moved).toMatchObject({ updated_pages: ['Home', 'a/b/p'] });
      expect(moved.retargeted).toBeUndefined();
      expect(await wiki.content('Home')).toBe(
        '[x](n/guide/) [y](n/guide) [z](n/guide/#top) <a href="n/guide/sub/">q</a> [[./n/guide/]] [d](docs/none.md) [e](n/guide/sub)\n\n[r]: n/guide/\n',
      );
      expect(await wiki.content('a/b/p')).toBe('[x](../../n/guide/) [s](../docs/)\n');
      await wiki.run('move_page', { path: 'n/guide/', new_path: 'docs/' });
      expect(await wiki.content('Home')).toBe(home);
      expect(await wiki.content('a/b/p')).toBe(files['a/b/p.md']);
      await wiki.run('move_page', { path: 'docs/', new_path: 'guide/' });
      expect(await wiki.content('Home')).toContain('[x](guide/) [y](./guide) ');
    });

    test('still leads to it after the folder moved', async () => {
      const files = {
        'docs/guide/setup.md': '[here](.) [h](./) [out](..) [o](../)\n',
        'docs/guide/sub/a.md': '[up](..) [up](../) [d](./) [x](../../)\n',
        'docs/guide/index.md': 'x\n',
      };
      const wiki = await openTestWiki(backend, files);
      await wiki.run('move_page', { path: 'docs/guide/', new_path: 'docs/manual/' });
      expect(await wiki.content('docs/manual/setup')).toBe(files['docs/guide/setup.md']);
      expect(await wiki.content('docs/manual/sub/a')).toBe(files['docs/guide/sub/a.md']);
    });

    test('is rewritten if its page moves to another folder', async () => {
      const wiki = await openTestWiki(backend, { 'docs/guide/setup.md': '[h](./) [o](../) [s](sub/)\n' });
      await wiki.run('move_page', { path: 'docs/guide/setup', new_path: 'docs/setup' });
      expect(await wiki.content('docs/setup')).toBe('[h](guide/) [o](./) [s](guide/sub/)\n');
      await wiki.run('move_page', { path: 'docs/setup', new_path: 'docs/guide/setup' });
      expect(await wiki.content('docs/guide/setup')).toBe('[h](./) [o](../) [s](sub/)\n');
    });
  });
}
