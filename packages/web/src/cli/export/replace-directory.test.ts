import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { replaceDirectory } from './replace-directory.ts';

let parent: string;
let target: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'pagetree-replace-'));
  target = join(parent, 'out');
  onTestFinished(() => rmSync(parent, { recursive: true }));
});

const fillWith = (page: string) => async (directory: string) => {
  await writeFile(join(directory, page), page);
  return { wiki: 'main', commit: null };
};

test('a later export replaces an earlier one as a whole', async () => {
  await replaceDirectory(target, '1', fillWith('a.html'));
  await replaceDirectory(target, '2', fillWith('b.html'));
  expect((await readdir(target)).toSorted()).toEqual(['b.html', 'site-files']);
  expect(await readdir(parent)).toEqual(['out']);
});

test('an export that fails leaves the earlier one, and nothing beside it', async () => {
  await replaceDirectory(target, '1', fillWith('a.html'));
  const failing = async (directory: string) => {
    await fillWith('b.html')(directory);
    throw new Error('no disk');
  };
  await expect(replaceDirectory(target, '2', failing)).rejects.toThrow('no disk');
  expect(await readFile(join(target, 'a.html'), 'utf8')).toBe('a.html');
  expect(await readdir(parent)).toEqual(['out']);
});

test('a directory that is not ours, or has more in it, is refused and stays', async () => {
  await mkdir(target);
  await replaceDirectory(target, '1', fillWith('a.html'));
  await writeFile(join(target, 'CNAME'), 'wiki.example');
  await expect(replaceDirectory(target, '2', fillWith('b.html'))).rejects.toMatchObject({
    code: 'already_exists',
    text: { happened: expect.stringContaining('"CNAME", which is not of the export') },
  });
  expect((await readdir(target)).toSorted()).toEqual(['CNAME', 'a.html', 'site-files']);
  const other = join(parent, 'other');
  await mkdir(other);
  await writeFile(join(other, 'x'), '');
  await expect(replaceDirectory(other, '3', fillWith('b.html'))).rejects.toMatchObject({
    code: 'already_exists',
  });
  await expect(replaceDirectory(join(other, 'x'), '4', fillWith('b.html'))).rejects.toMatchObject({
    code: 'already_exists',
  });
  expect((await readdir(parent)).toSorted()).toEqual(['other', 'out']);
});
