import { expect, test } from 'vitest';
import { zipOfNames } from '../../../test/operations/archives.ts';
import { limits } from '../../contract/limits.ts';
import { readArchivedWiki } from './import-files.ts';

const CALL = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };
const names = (count: number, nameOf: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => nameOf(at));

test('files are accepted up to the limit, and their folders count', async () => {
  const read = (files: readonly string[]) => readArchivedWiki(zipOfNames(files), '', CALL);
  const half = limits.importFiles / 2;
  const most = names(half, (at) => `folder ${at}/page.md`);
  expect((await read(most)).files).toHaveLength(half);
  await expect(read([...most, 'one more.md'])).rejects.toMatchObject({ code: 'too_large' });
});

test('nested folders count once for each file that they contain', async () => {
  const folders = 'a/'.repeat(99);
  const files = names(limits.importFiles / 10, (at) => `${at}.md`);
  const read = (prefix: string, more: readonly string[]) =>
    readArchivedWiki(zipOfNames([...files.map((file) => folders + file), ...more]), prefix, CALL);
  expect((await read('', [])).files).toHaveLength(files.length);
  await expect(read('', ['one more.md'])).rejects.toMatchObject({ code: 'too_large' });
  await expect(read('prefix/', [])).rejects.toMatchObject({ code: 'too_large' });
});

test('a file that is encrypted is named', async () => {
  const zip = zipOfNames(['fine.md', 'secret.md']);
  for (const [signature, flags] of [
    ['PK\x03\x04', 6],
    ['PK\x01\x02', 8],
  ] as const) {
    zip[zip.lastIndexOf(signature, undefined, 'latin1') + flags] = 1;
  }
  await expect(readArchivedWiki(zip, '', CALL)).rejects.toThrow(/\n"secret\.md": it is encrypted/);
});

test('a file with several problems counts once, and hidden characters of its name are shown', async () => {
  const files = ['a\u202e?.md', 'A\u202e?.md', 'fine.md'];
  await expect(readArchivedWiki(zipOfNames(files), '', CALL)).rejects.toThrow(
    /^invalid_path: 2 of 3 files cannot be imported\.\n"a\\u\{202e\}\?\.md": .*\n"A\\u\{202e\}\?\.md": .*\n.*differs from "a\\u\{202e\}\?\.md" only in case/,
  );
});
