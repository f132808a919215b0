import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** Links and images in the HTML of a page. */
export function htmlLinksSuite(backend: Backend): void {
  describe('a link in HTML', () => {
    const files = {
      'docs/guide.md':
        '# Guide\n\n<p align="center">\n  <img alt="x" src="../img/shot.png" width=300>\n</p>\n\nSee <a href="setup.md#part" title="t">it</a>.\n',
      'docs/setup.md': "# Setup\n\n<A HREF='guide.md'>Guide</A> <a href=guide.md>again</a>\n\n## Part\n",
      'img/shot.png': 'image',
      'Home.md': '[[docs/guide]] ![](img/shot.png)\n',
    };

    test('is one of its page, and a move of either end rewrites its value alone', async () => {
      const wiki = await openTestWiki(backend, files);
      const { links_to, attachments, linked_from } = await wiki.run('get_links', { path: 'docs/guide' });
      expect({ links_to, attachments, linked_from }).toEqual({
        links_to: ['docs/setup'],
        attachments: ['img/shot.png'],
        linked_from: ['Home', 'docs/setup'],
      });
      const moved = await wiki.run('move_page', { path: 'docs/guide', new_path: 'The Guide' });
      expect(moved.updated_pages).toEqual(['Home', 'docs/setup']);
      expect(await wiki.content('The Guide')).toBe(
        files['docs/guide.md'].replace('../img', 'img').replace('setup.md', 'docs/setup.md'),
      );
      expect(await wiki.content('docs/setup')).toBe(
        "# Setup\n\n<A HREF='../The%20Guide.md'>Guide</A> <a href=../The%20Guide.md>again</a>\n\n## Part\n",
      );
      await wiki.run('move_page', { path: 'The Guide', new_path: 'docs/guide' });
      expect(await wiki.content('docs/guide')).toBe(files['docs/guide.md']);
      expect(await wiki.content('docs/setup')).toBe(files['docs/setup.md']);
    });

    test('is reported when its target goes, and when an edit hides it', async () => {
      const wiki = await openTestWiki(backend, files);
      const { version } = await wiki.run('read_page', { path: 'docs/setup' });
      const gone = await wiki.run('delete_page', { path: 'docs/setup', version });
      expect(gone.retargeted).toEqual([
        {
          page: 'docs/guide',
          link: '<a href="setup.md#part" title="t">',
          old_target: 'docs/setup',
          new_target: null,
        },
      ]);
      const { findings } = await wiki.run('check_wiki', { kinds: ['broken_link'] });
      expect(findings).toMatchObject([{ path: 'docs/guide', line: 7, detail: 'setup.md' }]);
      const edit = { old_string: 'See', new_string: '<!--\nSee' };
      const guide = await wiki.run('read_page', { path: 'docs/guide' });
      const also = { path: 'docs/setup', content: 's' };
      await wiki.run('write_page', also);
      const hidden = await wiki.run('edit_page', {
        path: 'docs/guide',
        version: guide.version,
        edits: [edit],
      });
      expect(hidden.retargeted).toMatchObject([{ page: 'docs/guide', new_target: null }]);
    });

    test('makes its page no orphan, and keeps an image where it is used', async () => {
      const wiki = await openTestWiki(backend, {
        'docs/a.md': '![s](img/s.png) [b](b.md)\n',
        'docs/b.md': '<img src="img/s.png"> <a href="a.md">a</a>\n',
        'docs/img/s.png': 'image',
      });
      expect((await wiki.run('check_wiki', { kinds: ['orphan'] })).findings).toEqual([]);
      await wiki.run('move_page', { path: 'docs/a', new_path: 'a' });
      expect(await wiki.content('a')).toBe('![s](docs/img/s.png) [b](docs/b.md)\n');
      expect(await wiki.content('docs/b')).toBe('<img src="img/s.png"> <a href="../a.md">a</a>\n');
    });

    test('may have character references, percent-encoding and a query', async () => {
      const wiki = await openTestWiki(backend, {
        'p.md':
          '<a href="d/R&amp;D%20x.md?a=1&amp;b=2">r</a> <video src=\'d/v.mp4\' controls></video> <a href="d/q.md">q</a>\n',
        'd/R&D x.md': 'r',
        'd/q.md': 'q',
        'd/v.mp4': 'v',
      });
      expect(await wiki.run('get_links', { path: 'p' })).toMatchObject({
        links_to: ['d/R&D x', 'd/q'],
        attachments: ['d/v.mp4'],
        broken: [],
      });
      await wiki.run('move_page', { path: 'd/', new_path: 'e/' });
      await wiki.run('move_page', { path: 'e/q', new_path: `e/it's=&copy` });
      expect(await wiki.content('p')).toBe(
        '<a href="e/R&amp;D%20x.md?a=1&amp;b=2">r</a> <video src=\'e/v.mp4\' controls></video> <a href="e/it%27s%3D&amp;copy.md">q</a>\n',
      );
    });

    test('may be a poster or one image of a set', async () => {
      const picture =
        '<picture>\n  <source media="(max-width: 9em)" srcset="img/small.png 1x, img/a%20b.png 2x">\n  <img src="img/small.png" srcset="https://example.org/x.png 2x">\n</picture>\n\n<video poster="img/p.jpg" src="../v.mp4"></video>\n';
      const wiki = await openTestWiki(backend, {
        'docs/p.md': picture,
        'docs/img/small.png': '1',
        'docs/img/a b.png': '2',
        'docs/img/p.jpg': '3',
        'v.mp4': '4',
        'q.md': '![](docs/img/p.jpg)\n',
      });
      const { attachments, broken } = await wiki.run('get_links', { path: 'docs/p' });
      expect({ attachments, broken }).toEqual({
        attachments: ['docs/img/a b.png', 'docs/img/p.jpg', 'docs/img/small.png', 'v.mp4'],
        broken: [],
      });
      const moved = await wiki.run('move_page', { path: 'docs/p', new_path: 'n/o/p' });
      expect(moved.moved_files?.map(({ path }) => path)).toEqual(['n/o/img/small.png', 'n/o/img/a b.png']);
      expect(await wiki.content('n/o/p')).toBe(
        picture.replace('img/p.jpg', '../../docs/img/p.jpg').replace('../v', '../../v'),
      );
      await wiki.run('move_page', { path: 'n/o/', new_path: 'pages/' });
      await wiki.run('move_page', { path: 'pages/p', new_path: 'Home' });
      expect(await wiki.content('Home')).toBe(
        picture.replace('img/p.jpg', 'docs/img/p.jpg').replace('../v', 'v'),
      );
    });

    test('can be read as it is written, and leads nowhere else when pages are merged', async () => {
      const wiki = await openTestWiki(backend, files);
      const read = await wiki.run('read_page', { path: '<a href="setup.md#part">', from: 'docs/guide' });
      expect(read.path).toBe('docs/setup');
      const changes = [{ op: 'merge' as const, path: 'docs/setup', new_path: 'docs/guide' }];
      await wiki.run('commit_changes', { message: 'm', changes });
      expect(await wiki.content('docs/guide')).toContain('<a href="guide.md#part" title="t">');
    });
  });
}
