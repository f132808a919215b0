import { expect, test } from 'vitest';
import { isIgnoredName } from './ignored-names.ts';

test.each([
  ...['.obsidian', '.git', '.trash', '.pagetree', '.DS_Store', '.Tea.md.swp', '.#Tea.md', '._Tea.md'],
  ...['Tea.md~', '~$Tea.docx', '#Tea.md#', '4913', 'Tea.swp', 'Tea.md.swx', 'Tea.tmp', 'Tea.md.TMP'],
  ...['film.part', 'film.crdownload', 'Tea.md___jb_tmp___', 'Thumbs.db', 'desktop.ini', 'Desktop.ini'],
])('%s is ignored', (name) => {
  expect(isIgnoredName(name)).toBe(true);
});

test.each([
  ...['Tea.md', 'LICENSE', 'a~b.md', '# Tea.md', '49130', 'Part.md', 'tmp', 'tmp.md', 'Thumbs.db.md'],
  ...['part', 'C#.md', 'swp.md', 'Ä.md', 'download.png', '~.md'],
])('%s is not', (name) => {
  expect(isIgnoredName(name)).toBe(false);
});
