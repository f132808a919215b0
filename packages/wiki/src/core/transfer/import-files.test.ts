import { expect, test } from 'vitest';
import { bareRepository } from '../../../test/native-git.ts';
import { zipOfNames, zipThatSays } from '../../../test/operations/archives.ts';
import { commitFilesTo, openTestRepository, text } from '../../../test/test-repository.ts';
import { limits } from '../../contract/limits.ts';
import { exportTooLarge } from './export-too-large.ts';
import { type ImportedFile, isOthers, planImport, readArchivedWiki } from './import-files.ts';
import { historyNeedsNewWiki } from './import-problems.ts';

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

test('each folder counts once, also one that holds only folders', async () => {
  const read = (files: readonly string[]) => readArchivedWiki(zipOfNames(files), '', CALL);
  const inOne = names(limits.importFiles - 1, (at) => `folder/${at}.md`);
  expect((await read(inOne)).files).toHaveLength(inOne.length);
  await expect(read([...inOne, 'one more.md'])).rejects.toMatchObject({ code: 'too_large' });
  const inTwo = names(limits.importFiles / 3, (at) => `${at}/inner/page.md`);
  expect((await read(inTwo)).files).toHaveLength(inTwo.length);
  await expect(read([...inTwo, 'one more.md'])).rejects.toMatchObject({ code: 'too_large' });
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

test('files of other programs and their folders count, although they are left out', async () => {
  const read = (files: readonly string[]) => readArchivedWiki(zipOfNames(files), '', CALL);
  const others = names(limits.importFiles / 2 - 1, (at) => `.cache/${at}/file`);
  expect((await read(others)).ignored).toHaveLength(others.length);
  await expect(read([...others, '.one/more'])).rejects.toMatchObject({ code: 'too_large' });
});

test('no file is larger than an attachment or page may be, wherever it goes', async () => {
  const read = (bytes: number, extension: string) =>
    readArchivedWiki(Buffer.from(zipThatSays(bytes, 1, extension), 'base64'), '', CALL);
  for (const [most, extension] of [
    [limits.attachmentBytes, 'bin'],
    [limits.pageBytes, 'md'],
  ] as const) {
    const named = `it has ${most + 1} bytes; the most is ${most}`;
    await expect(read(most + 1, extension)).rejects.toThrow(named);
    await expect(read(most, extension)).rejects.not.toThrow('; the most is');
  }
});

test('a file is judged by the whole path that it will have', async () => {
  const read = (prefix: string) => readArchivedWiki(zipOfNames(['page.md']), prefix, CALL);
  expect((await read('In/')).files.map(({ path }) => path)).toEqual(['In/page.md']);
  for (const prefix of ['.git/', 'con/', `${'x'.repeat(300)}/`])
    await expect(read(prefix)).rejects.toThrow(
      /^invalid_path: 1 of 1 files cannot be imported\.\n"page\.md": /,
    );
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

test('a slash at the beginning of the path of a file that is left out counts as no folder', async () => {
  const files = names(limits.importFiles - 1, (at) => `${at}.md`);
  const { ignored } = await readArchivedWiki(zipOfNames([...files, '/.DS_Store']), '', CALL);
  expect(ignored).toEqual(['/.DS_Store']);
});

test('files of other programs are known by their names, and by those of their folders', () => {
  const others = [
    ...['.obsidian/app.json', 'a/.git/x', '..a', '__MACOSX/a.md', 'a/__MACOSX/a.md', 'node_modules/a.md'],
    ...['Thumbs.db', 'a/b/Thumbs.db', 'desktop.ini', 'a/b/desktop.ini', 'HEAD', 'a/b/HEAD'],
  ];
  const own = ['a.md', './a.md', '../a.md', 'Thumbs.db/a.md', 'a/desktop.ini/a.md', 'a/HEAD/a.md', 'a/b.c'];
  expect([...others, ...own].filter(isOthers)).toEqual(others);
});

test('a file that is there twice is named, and one with a bad name gets another one', async () => {
  await expect(readArchivedWiki(zipOfNames(['a.md', 'a.md']), '', CALL)).rejects.toThrow(
    /^invalid_path: 1 of 2 files cannot be imported\.\n"a\.md": it is there twice\n/,
  );
  await expect(readArchivedWiki(zipOfNames(['a.', 'b\\c']), '', CALL)).rejects.toThrow(
    /\n"a\.": .*; "a" would do\n/,
  );
});

test('the first twenty files that cannot be imported are named, and the others counted', async () => {
  const refused = async (count: number) => {
    const files = names(count, (at) => `${String(at).padStart(2, '0')}?.md`);
    return readArchivedWiki(zipOfNames(files), '', CALL).catch((error) => error);
  };
  for (const [count, named, more] of [
    [20, 20, undefined],
    [25, 20, '5'],
  ] as const) {
    const error = await refused(count);
    expect(error.message.match(/\n"\d\d\?\.md": /g)).toHaveLength(named);
    expect(/\nAnd (\d+) more\.\n/.exec(error.message)?.[1]).toBe(more);
    expect(error.data.problems).toHaveLength(named);
    expect(error.data.problems_total).toBe(count);
  }
});

test('as many bytes as an import may have are accepted, and one more is refused', async () => {
  const files = zipOfNames(['a.md', 'b.md']);
  expect((await readArchivedWiki(files, '', CALL, 10)).files).toHaveLength(2);
  await expect(readArchivedWiki(files, '', CALL, 9)).rejects.toMatchObject({ code: 'too_large' });
});

test('the bytes of files of other programs do not count', async () => {
  const others = zipOfNames(['a.md', '.cache/b', '__MACOSX/a.md']);
  expect((await readArchivedWiki(others, '', CALL, 5)).files).toHaveLength(1);
});

test('a call that was cancelled reads no file', async () => {
  const progress: unknown[] = [];
  const call = { ...CALL, signal: AbortSignal.abort(), progress: () => void progress.push(1) };
  await expect(readArchivedWiki(zipOfNames(['a.md']), '', call)).rejects.toMatchObject({ code: 'busy' });
  expect(progress).toEqual([]);
});

test('a file that is replaced stays executable, and the first twenty are named if none may be', async () => {
  const repository = await openTestRepository(bareRepository());
  const paths = names(25, (at) => `${String(at).padStart(2, '0')}.sh`);
  await commitFilesTo(
    repository,
    ...paths.map((path) => ({ ...text(path, 'old'), mode: '100755' as const })),
  );
  const { files } = await readArchivedWiki(zipOfNames([...paths, 'new.sh']), '', CALL);
  const base = await repository.head();
  const plan = (some: readonly ImportedFile[], replace: boolean) => planImport(base, some, replace);
  const modes = (await plan(files, true)).map((write) => ('mode' in write ? write.mode : undefined));
  expect(modes).toEqual([...paths.map(() => '100755'), undefined]);
  for (const [count, more] of [
    [20, ''],
    [25, ' and 5 more'],
  ] as const) {
    const error = await plan(files.slice(0, count), false).catch((reason) => reason);
    const shown = paths.slice(0, 20).map((path) => `"${path}"`);
    expect(error.message).toContain(`with other content: ${shown.join(', ')}${more}.`);
    expect(error.data).toEqual({ paths: paths.slice(0, 20), paths_total: count });
  }
});

test('an export that is too large says how large it is, and how large it may be', () => {
  expect(exportTooLarge(2, 1)).toMatchObject({
    code: 'too_large',
    data: { bytes: 2, most: 1 },
    message: expect.stringMatching(
      /has 2 bytes or more; .* at most 1 in one call\. Nothing was exported\. .*clone/,
    ),
  });
});

test('a history that would go into a wiki that is there names that wiki', () => {
  expect(historyNeedsNewWiki('main')).toMatchObject({ code: 'already_exists', data: { wiki: 'main' } });
});
