import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** Files that a page uses and that something else names, in a way that is no link. */
export function movedFilesSuite(backend: Backend): void {
  describe('files of a page that moves', () => {
    test.for([
      ['the frontmatter of a page', 'Other.md', '---\ncover: a/img/My Shot.png\n---\n'],
      ['code on a page', 'Other.md', '```html\n<img src="a/img/My%20Shot.png">\n```\n'],
      ['an address on a page', 'Other.md', '<https://example.org/raw/a/img/My%20Shot.png>\n'],
      ['a canvas', 'Board.canvas', '{"nodes":[{"type":"file","file":"a/img/My Shot.png"}]}'],
      ['a page in MDX', 'a/Other.mdx', '![x](<img/my shot.png>)\n'],
      ['its own page, by its path from the root', 'a/P.md', '---\ncover: a/img/My Shot.png\n---\n'],
    ] as const)('stay if %s names them', async ([, path, text]) => {
      const own = '![x](<img/My Shot.png>)\n';
      const isOwn = path === 'a/P.md';
      const wiki = await openTestWiki(backend, {
        'a/P.md': isOwn ? text + own : own,
        'a/img/My Shot.png': '1',
        ...(!isOwn && { [path]: text }),
      });
      const moved = await wiki.run('move_page', { path: 'a/P', new_path: 'b/c/P' });
      expect(moved.moved_files).toBeUndefined();
      expect(await wiki.git('cat-file', '-t', 'main:a/img/My Shot.png')).toBe('blob');
      expect(await wiki.content('b/c/P')).toContain('![x](<../../a/img/My Shot.png>)');
    });

    test('move with it if others name only other files, and stay if too many texts would have to be read', async () => {
      const wiki = await openTestWiki(backend, {
        'a/P.md': '---\ncover: img/shot.png\n---\n![x](img/shot.png)\n',
        'a/img/shot.png': '1',
        'z/img/shot.png': '2',
        'z/Q.md': '![shot.png](img/shot.png) one-shot, png; `screenshot.png`\n',
        'z/Board.canvas': '{"file":"a/img/screenshot.png"}',
        'z/photo.jpg': 'shot.png',
      });
      const moved = await wiki.run('move_page', { path: 'a/P', new_path: 'b/P' });
      expect(moved.moved_files).toEqual([{ path: 'b/img/shot.png', previous_path: 'a/img/shot.png' }]);
      const many = Array.from({ length: 101 }, (_, at) => [`z/${at}.txt`, 'x'] as const);
      const full = await openTestWiki(backend, {
        'a/P.md': '![x](img/shot.png)\n',
        'a/img/shot.png': '1',
        ...Object.fromEntries(many),
      });
      expect((await full.run('move_page', { path: 'a/P', new_path: 'b/P' })).moved_files).toBeUndefined();
    });

    test.each([19, 20, 21])(
      'stay if a page names them after %i others that have only their words',
      async (count) => {
        const words = Array.from({ length: count }, (_, at) => [`w/${at}.md`, 'shot, png\n'] as const);
        const files = { 'a/P.md': '![x](img/shot.png) shot, png\n', 'a/img/shot.png': '1' };
        const wiki = await openTestWiki(backend, {
          ...files,
          ...Object.fromEntries(words),
          'z/Q.md': '`shot.png`\n',
        });
        const moved = await wiki.run('move_page', { path: 'a/P', new_path: 'b/P' });
        expect(moved.moved_files).toBeUndefined();
      },
    );

    test.for([
      ['a file', { 'site/IMG.png': '1' }],
      ['a folder', { 'site/Img.PNG/x.png': '1' }],
    ] as const)('stay beside %s whose name differs only in case', async ([, there]) => {
      const wiki = await openTestWiki(backend, {
        'draft/P.md': '![](img.png)',
        'draft/img.png': '2',
        ...there,
      });
      const moved = await wiki.run('move_page', { path: 'draft/P', new_path: 'site/P' });
      expect(moved.moved_files).toBeUndefined();
      expect(await wiki.content('site/P')).toBe('![](../draft/img.png)');
    });

    test('move with it to its folder in another case', async () => {
      const wiki = await openTestWiki(backend, {
        't/P.md': '![](a.png) ![](b.png)',
        't/a.png': '1',
        't/b.png': '2',
      });
      const moved = await wiki.run('move_page', { path: 't/P', new_path: 'T/P' });
      expect(moved.moved_files).toHaveLength(2);
      expect(await wiki.content('T/P')).toBe('![](a.png) ![](b.png)');
    });

    test('stay if another page of the batch brings one whose name differs only in case', async () => {
      const wiki = await openTestWiki(backend, {
        ...{ 'a/P.md': '![](img.png)', 'a/img.png': '1' },
        ...{ 'b/Q.md': '![](IMG.png)', 'b/IMG.png': '2' },
      });
      const move = (path: string, new_path: string) => ({ op: 'move' as const, path, new_path });
      const changes = [move('a/P', 'c/P'), move('b/Q', 'c/Q')];
      const done = await wiki.run('commit_changes', { message: 'x', changes });
      expect(done.moved_files).toEqual([{ path: 'c/img.png', previous_path: 'a/img.png' }]);
      expect(await wiki.content('c/Q')).toBe('![](../b/IMG.png)');
    });

    test('leave a symbolic link behind, so their folder gets no name in another case', async () => {
      const wiki = await openTestWiki(backend, { 't/A.md': 'a\n' });
      const oid = await wiki.git('rev-parse', 'main:t/A.md');
      await wiki.git('read-tree', 'main');
      await wiki.git('update-index', '--add', '--cacheinfo', `120000,${oid},t/link`);
      const tree = await wiki.git('write-tree');
      await wiki.git(
        'update-ref',
        'refs/heads/main',
        await wiki.git('commit-tree', tree, '-p', 'main', '-m', 'Link'),
      );
      expect((await wiki.refused('move_page', { path: 't/', new_path: 'T/' })).code).toBe('invalid_path');
    });

    test('keep their bytes, though on a page they would hold links', async () => {
      const text = '[a](../A.md) [[../A]]\n';
      const wiki = await openTestWiki(backend, { 'A.md': 'a', 'f/P.md': text, 'f/n.mdx': text });
      await wiki.run('move_page', { path: 'f/', new_path: 'g/h/' });
      expect(await wiki.content('g/h/P')).toBe('[a](../../A.md) [[../../A]]\n');
      expect(await wiki.git('show', 'main:g/h/n.mdx')).toBe(text.trim());
    });

    test('stay if a page of the same batch names them', async () => {
      const wiki = await openTestWiki(backend, { 'a/P.md': '![[own.png]]\n', 'a/own.png': '1' });
      const done = await wiki.run('commit_changes', {
        message: 'Move',
        changes: [
          { op: 'write', path: 'a/New', content: '---\ncover: own.png\n---\n' },
          { op: 'move', path: 'a/P', new_path: 'b/P' },
        ],
      });
      expect(done.moved_files).toBeUndefined();
      expect(await wiki.git('cat-file', '-t', 'main:a/own.png')).toBe('blob');
    });
  });
}
