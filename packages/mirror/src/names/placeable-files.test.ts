import { expect, test } from 'vitest';
import { PlaceableFiles } from './placeable-files.ts';

function choose(paths: readonly string[], present: readonly string[] = []) {
  const files = paths.map((path) => ({ path, version: 'v' }));
  const { files: chosen, leftOut } = new PlaceableFiles().choose(files, (key) => present.includes(key));
  return { chosen: [...chosen.values()].map(({ path }) => path), leftOut: [...leftOut.keys()] };
}

test.each([
  ...['../out.md', 'a/../../out.md', '/etc/passwd.md', 'a//b.md', 'a\\..\\..\\b.md', 'C:\\b.md', 'C:b.md'],
  ...['a\0b.md', 'a/./b.md', 'con.md', 'aux/b.md', 'a:stream.md', 'a?.md', 'a .md/x.md ', 'dot./b.md'],
  ...['GIT~1/config', 'git~1', 'gi7eba~1', `${'x'.repeat(260)}.md`, `${'y/'.repeat(300)}z.md`],
  ...['Tea.md~', '~$Tea.docx', '#Tea#', 'a.tmp', 'Thumbs.db', 'sub/4913', 'zero\u200bwidth.md'],
])('%j stays out of the folder, and is reported', (path) => {
  expect(choose([path, 'Fine.md'])).toEqual({ chosen: ['Fine.md'], leftOut: [path] });
});

test.each([
  ...['.git/config', '.obsidian/app.json', '.pagetree/state.json', 'a/.git/hooks/x', '.Git/config'],
  ...['.gitmodules', 'a/.claude/settings.json'],
])('%j stays out of the folder, as nobody expects it there', (path) => {
  expect(choose([path, 'Fine.md'])).toEqual({ chosen: ['Fine.md'], leftOut: [] });
});

test('of names that some file systems take for one, the one that is there stays, else the first', () => {
  expect(choose(['Tea.md', 'tea.md', 'a/x.md', 'A/y.md'])).toEqual({
    chosen: ['Tea.md', 'a/x.md'],
    leftOut: ['tea.md', 'A/y.md'],
  });
  expect(choose(['Tea.md', 'tea.md'], ['tea.md']).chosen).toEqual(['tea.md']);
  expect(choose(['Caf\u00e9.md', 'Cafe\u0301.md']).chosen).toEqual(['Caf\u00e9.md']);
  expect(choose(['x', 'X/y.md']).chosen).toEqual(['x']);
  expect(choose(['x/y.md', 'X'])).toEqual({ chosen: ['x/y.md'], leftOut: ['X'] });
});
