import files, { mkdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryDirectory } from '../../test/native-git.ts';
import { replaceIn } from '../../test/replaced-fs.ts';
import type { FileSystem } from '../storage/files/file-system.ts';
import { allowedFileSystem } from './allowed-file-system.ts';
import { AllowedFiles } from './allowed-files.ts';

let [parent, allowed] = ['', ''];
let fs: FileSystem;

beforeEach(() => {
  parent = realpathSync(temporaryDirectory());
  allowed = join(parent, 'allowed');
  for (const folder of ['allowed', 'outside']) {
    mkdirSync(join(parent, folder, 'a'), { recursive: true });
    for (const name of ['one', 'two']) writeFileSync(join(parent, folder, 'a', name), folder);
  }
  fs = allowedFileSystem(new AllowedFiles([allowed]));
});

async function textOf(path: string): Promise<string> {
  const file = await fs.open(path, 'r');
  try {
    const buffer = new Uint8Array(100);
    return `${Buffer.from(buffer.subarray(0, await file.read(buffer, 0, 100, 0)))}`;
  } finally {
    await file.close();
  }
}

test('files are read, and folders listed', async () => {
  expect(await textOf(join(allowed, 'a', 'one'))).toBe('allowed');
  expect(await textOf(join(allowed, 'a', 'two'))).toBe('allowed');
  expect((await fs.readdir(join(allowed, 'a'))).toSorted()).toEqual(['one', 'two']);
  expect(await fs.lstat(join(allowed, 'a', 'one'))).toMatchObject({ kind: 'file', size: 7 });
  symlinkSync('a', join(allowed, 'link'));
  expect(await fs.lstat(join(allowed, 'link'))).toMatchObject({ kind: 'symlink' });
  expect(await fs.lstat(join(allowed, 'link', 'two'))).toMatchObject({ kind: 'file' });
  await (await fs.open(join(allowed, 'a'), 'directory')).close();
  await expect(fs.open(join(allowed, 'none'), 'directory')).rejects.toMatchObject({ code: 'ENOENT' });
});

test('the path of a folder is followed once, however many of its files are opened', async () => {
  const followed: unknown[] = [];
  const { lstatSync } = files;
  replaceIn(files, {
    lstatSync: (path: string) => {
      followed.push(path);
      return lstatSync(path);
    },
  });
  for (const name of ['one', 'two', 'one']) expect(await textOf(join(allowed, 'a', name))).toBe('allowed');
  expect(followed.slice(-2)).toEqual([join(allowed, 'a', 'two'), join(allowed, 'a', 'one')]);
});

test('what leads out is refused, also in a folder that was read before', async () => {
  const outside = join(parent, 'outside', 'a');
  symlinkSync(outside, join(allowed, 'link'));
  const refused = { code: 'forbidden' };
  await expect(textOf(join(allowed, 'link', 'one'))).rejects.toMatchObject(refused);
  await expect(fs.lstat(join(outside, 'one'))).rejects.toMatchObject(refused);
  await expect(fs.readdir(outside)).rejects.toMatchObject(refused);
  await expect(fs.open(outside, 'directory')).rejects.toMatchObject(refused);
  expect(await textOf(join(allowed, 'a', 'one'))).toBe('allowed');
  renameSync(join(allowed, 'a'), join(allowed, 'before'));
  symlinkSync(outside, join(allowed, 'a'));
  await expect(textOf(join(allowed, 'a', 'two'))).rejects.toMatchObject(refused);
});

test('nothing is written, and no link is read', async () => {
  const path = join(allowed, 'a', 'one');
  const folder = await fs.open(join(allowed, 'a'), 'directory');
  const calls = [
    () => fs.open(path, 'w'),
    () => fs.open(path, 'wx'),
    () => fs.readlink(path),
    () => fs.symlink('x', path),
    () => fs.link(path, path),
    () => fs.rename(path, path),
    () => fs.unlink(path),
    () => fs.unlinkLast(path),
    () => fs.mkdir(path),
    () => fs.rmdir(path),
    () => folder.read(new Uint8Array(1), 0, 1, 0),
    () => folder.write(new Uint8Array(1)),
    () => folder.sync(),
    () => folder.size(),
  ];
  const refusal = {
    code: 'EROFS',
    errno: -30,
    message: 'EROFS: an imported repository is only read',
  };
  for (const call of calls) await expect(call(), `${call}`).rejects.toMatchObject(refusal);
});
