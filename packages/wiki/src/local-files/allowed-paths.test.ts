import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryDirectory } from '../../test/native-git.ts';
import { AllowedFiles, isMissing, isSafeToWrite } from './allowed-files.ts';

/** `allowed` is the folder of `--files`. */
let [parent, allowed] = ['', ''];
let files: AllowedFiles;

beforeEach(() => {
  parent = realpathSync(temporaryDirectory());
  allowed = join(parent, 'allowed');
  mkdirSync(join(allowed, 'a', 'b'), { recursive: true });
  writeFileSync(join(allowed, 'a', 'A.md'), 'text');
  files = new AllowedFiles([allowed]);
});

const fileIn = (...parts: string[]) => join(allowed, ...parts);

test('a path is followed through links within the allowed folder, and no other', async () => {
  symlinkSync('a', fileIn('relative'));
  symlinkSync(fileIn('a'), fileIn('absolute'));
  symlinkSync('../allowed/a', fileIn('around'));
  for (const path of ['a//./b/../A.md', 'relative/A.md', 'absolute/A.md']) {
    expect(await files.resolve(`${allowed}/${path}`), path).toBe(fileIn('a', 'A.md'));
  }
  expect(await files.resolve(allowed)).toBe(allowed);
  for (const path of ['around/A.md', '../allowed-too', '..']) {
    await expect(files.resolve(`${allowed}/${path}`), path).rejects.toMatchObject({ code: 'forbidden' });
  }
  await expect(files.resolve(fileIn('none'))).rejects.toSatisfy(isMissing);
  await expect(files.resolve(`${allowed}/a\0`)).rejects.toMatchObject({
    message: expect.stringMatching(/^ENOENT: no such file or directory, open ".*allowed\/a/),
    code: 'ENOENT',
    errno: -2,
    syscall: 'open',
    path: `${allowed}/a\0`,
  });
  // Such parts are no links, of which only forty are followed.
  symlinkSync(`${'./a/../'.repeat(50)}a`, fileIn('dots'));
  expect(await files.resolve(fileIn('dots', 'A.md'))).toBe(fileIn('a', 'A.md'));
});

test('two dots after a link lead to the folder above the one that it leads to, as on Linux', async () => {
  writeFileSync(fileIn('A.md'), 'another');
  symlinkSync(fileIn('a', 'b'), fileIn('deep'));
  symlinkSync(`${fileIn('deep')}/../A.md`, fileIn('link'));
  expect(await files.resolve(fileIn('link'))).toBe(fileIn('a', 'A.md'));
  expect(realpathSync.native(fileIn('link'))).toBe(fileIn('a', 'A.md'));
});

test('the innermost allowed folder counts, and one that is a link is allowed under both names', async () => {
  symlinkSync(allowed, join(parent, 'link'));
  const linked = new AllowedFiles([join(parent, 'link'), fileIn('a'), join(parent, 'missing')]);
  expect(await linked.resolve(join(parent, 'link', 'a', 'A.md'))).toBe(fileIn('a', 'A.md'));
  expect(await linked.resolve(fileIn('a', 'A.md'))).toBe(fileIn('a', 'A.md'));
  expect(await linked.pathBelow(fileIn('a', 'b', 'B.md'))).toBe(join('b', 'B.md'));
  expect(await linked.pathBelow(fileIn('c', 'C.md'))).toBe(join('c', 'C.md'));
  expect(await linked.pathBelow(fileIn('a'))).toBe('');
  await expect(linked.pathBelow(parent)).rejects.toMatchObject({ code: 'forbidden' });
  expect(await new AllowedFiles(['/']).resolve(fileIn('a'))).toBe(fileIn('a'));
});

test('without a limit every file is allowed', async () => {
  const all = new AllowedFiles(null);
  expect(await all.resolve(fileIn('a', '..', 'a', 'A.md'))).toBe(fileIn('a', 'A.md'));
  expect(await all.pathBelow(fileIn('a'))).toBe('');
  expect(`${Buffer.from(await all.read(fileIn('a', 'A.md'), 4))}`).toBe('text');
  expect((await all.list(allowed)).toSorted()).toEqual(['a']);
});

test('forty links are followed, as on Linux, and a part of the files allows a number of steps', async () => {
  symlinkSync('a', fileIn('link-1'));
  for (let at = 2; at <= 41; at += 1) symlinkSync(`link-${at - 1}`, fileIn(`link-${at}`));
  expect(await files.resolve(fileIn('link-40'))).toBe(fileIn('a'));
  await expect(files.resolve(fileIn('link-41'))).rejects.toSatisfy(isMissing);
  symlinkSync('b/../b', fileIn('a', 'around'));
  expect(await files.below(fileIn('a'), 5).resolve(fileIn('a', 'around'))).toBe(fileIn('a', 'b'));
  const few = files.below(fileIn('a'), 5);
  expect(await few.resolve(fileIn('a', 'b'))).toBe(fileIn('a', 'b'));
  await expect(few.resolve(fileIn('a', 'around'))).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringContaining('following its links takes too long'),
  });
});

test('a part of the files is nothing more if its folder became a link', async () => {
  const below = files.below(fileIn('a', 'b'), 10);
  expect(await below.resolve(fileIn('a', 'b'))).toBe(fileIn('a', 'b'));
  const outer = new AllowedFiles([fileIn('a')]);
  await expect(outer.below(allowed, 10).resolve(allowed)).rejects.toMatchObject({ code: 'forbidden' });
});

test('a file is read whole, up to the bound, whatever size the system reports', async () => {
  const large = fileIn('large');
  writeFileSync(large, '');
  truncateSync(large, 300_000);
  expect((await files.read(large, 300_000)).length).toBe(300_000);
  await expect(files.read(large, 299_999)).rejects.toMatchObject({
    message: `too_large: The file ${JSON.stringify(large)} has 300000 bytes or more; the most is 299999. Nothing was changed. Make it smaller, or give it in parts.`,
    data: { bytes: 300_000, most: 299_999 },
  });
  // It is refused before it is read.
  await expect(files.read(large, 10)).rejects.toMatchObject({ data: { bytes: 300_000, most: 10 } });
  expect((await files.read(fileIn('a', 'A.md'), 4)).length).toBe(4);
  // The system says that it has no bytes.
  const kernel = new AllowedFiles(['/proc']);
  const version = await kernel.read('/proc/version', 10_000);
  expect(`${Buffer.from(version)}`).toMatch(/^Linux version /);
  // It comes in many parts.
  const memory = `${Buffer.from(await kernel.read('/proc/self/smaps', 10_000_000))}`;
  expect(memory).toContain('[stack]');
  expect(memory.endsWith('\n')).toBe(true);
  await expect(kernel.read('/proc/version', 10)).rejects.toMatchObject({ data: { bytes: 11, most: 10 } });
  // One byte more than the most is read, however many parts it takes.
  await expect(kernel.read('/proc/self/smaps', 5_000)).rejects.toMatchObject({
    data: { bytes: 5_001, most: 5_000 },
  });
});

test('what is no file or no folder is not read, and the refusal says so', async () => {
  execFileSync('/usr/bin/env', ['mkfifo', fileIn('pipe')]);
  for (const path of [fileIn('a'), fileIn('pipe')]) {
    await expect(files.read(path, 10)).rejects.toThrow(
      `invalid_input: ${JSON.stringify(path)} is not a file. Nothing was changed. Name a file.`,
    );
  }
  await expect(files.list(fileIn('a', 'A.md'))).rejects.toSatisfy(isMissing);
  expect((await files.list(fileIn('a'))).toSorted()).toEqual(['A.md', 'b']);
});

test('nothing stays open, whether it could be read or not', async () => {
  mkdirSync(fileIn('folder'));
  writeFileSync(fileIn('file'), 'text');
  await files.read(fileIn('file'), 10);
  await files.list(fileIn('folder'));
  await expect(files.read(fileIn('file'), 1)).rejects.toMatchObject({ code: 'too_large' });
  await expect(files.list(fileIn('file'))).rejects.toSatisfy(isMissing);
  expect(openFiles()).toEqual([]);
  const open = await files.open(fileIn('file'));
  expect(openFiles()).toEqual([fileIn('file')]);
  closeSync(open);
});

/** Those of the allowed folder: others of the process may be closed meanwhile. */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    const path = readlinkIfThere(`/proc/self/fd/${descriptor}`);
    return path?.startsWith(allowed) ? [path] : [];
  });
}

function readlinkIfThere(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

test('a refusal names the allowed folders, or that there is none', async () => {
  const ask =
    'Ask the person who runs this server to allow a directory, with --files DIRECTORY or PAGETREE_FILES, or use one of these.';
  await expect(new AllowedFiles(['/one', '/two']).resolve('/a')).rejects.toMatchObject({
    message: `forbidden: "/a" is not in a directory whose files may be read and written. Allowed are /one, /two. Nothing was read or written. ${ask}`,
    data: { local_path: '/a' },
  });
  await expect(new AllowedFiles([]).resolve('/a')).rejects.toMatchObject({
    text: { now: 'No directory was allowed. Nothing was read or written.' },
  });
});

test.each([
  [['a', 'b.md'], true],
  [['.git', 'config'], false],
  [['a', '.git'], false],
  [['a', 'CLAUDE~1'], false],
])('of the parts %j a tool may write the file: %s', (parts, isSafe) => {
  expect(isSafeToWrite(parts)).toBe(isSafe);
});

test.each<[code: string, means: boolean]>([
  ['ENOENT', true],
  ['ENOTDIR', true],
  ['ENAMETOOLONG', true],
  ['ELOOP', true],
  ['EACCES', false],
])('%s means that nothing is there: %s', (code, means) => {
  expect(isMissing(Object.assign(new Error(code), { code }))).toBe(means);
  expect(isMissing({ code })).toBe(false);
  expect(isMissing(new Error(code))).toBe(false);
});
