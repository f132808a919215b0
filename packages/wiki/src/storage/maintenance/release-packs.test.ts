import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git, temporaryDirectory } from '../../../test/native-git.ts';
import { fileSystemError, observedFileSystem } from '../../../test/storage/observed-file-system.ts';
import { overwrite } from '../../../test/storage/stores.ts';
import { maintenanceBeforeListing, nativeView, newWiki, openWriter } from '../../../test/storage/writers.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { nodeHost } from '../files/node-host.ts';

it('keeps from git the packs of commits that were linked while the maintenance ran, and the ref lags', async () => {
  const directory = await newWiki();
  const { maintaining, thaw } = await maintenanceBeforeListing(directory, ({ put }) => put('One.md', 'one'));
  const writer = await openWriter(directory);
  await writer.storage.head();
  const lock = join(directory, 'refs/heads/main.lock');
  writeFileSync(lock, '');
  const second = await writer.put('Two.md', 'two');
  await writer.put('Three.md', 'three');
  thaw();
  await maintaining;
  if (second.kind !== 'committed') throw new Error('It was not committed.');
  expect(existsSync(join(directory, `objects/pack/pack-${second.commit}.keep`))).toBe(true);
  rmSync(lock);
  git(directory, ['gc', '--quiet', '--prune=now']);
  await writer.storage.settle();
  expect(nativeView(directory).pages).toEqual({ 'One.md': 'one', 'Three.md': 'three', 'Two.md': 'two' });
});

it('keeps from git the packs that a repair copied while git held the branch, until the branch reaches them', async () => {
  const directory = await newWiki();
  const packs = join(directory, 'objects/pack');
  const host = { ...nodeHost(), wait: async () => undefined };
  const { put, storage } = await openWriter(directory, { host });
  await put('One.md', 'one');
  await storage.settle();
  const lock = join(directory, 'refs/heads/main.lock');
  writeFileSync(lock, '');
  await put('Two.md', 'two');
  const index = join(packs, `pack-${await storage.head()}.idx`);
  const bytes = readFileSync(index);
  overwrite(index, bytes.fill(0, bytes.length - 20));

  const repairer = await openWriter(directory, { host });
  await expect(repairer.storage.repair()).rejects.toMatchObject({ code: 'busy' });
  expect(existsSync(index)).toBe(false);
  rmSync(lock);
  git(directory, ['gc', '--quiet', '--prune=now']);

  const next = await openWriter(directory);
  expect((await next.storage.check()).problems).toEqual([]);
  await next.storage.tidy();
  expect(nativeView(directory).pages).toEqual({ 'One.md': 'one', 'Two.md': 'two' });
  expect(readdirSync(packs).filter((file) => file.endsWith('.keep'))).toEqual([]);
});

it('keeps from git what a repair copied while the maintenance ran, and git held the branch', async () => {
  const directory = await newWiki();
  const packs = join(directory, 'objects/pack');
  const host = { ...nodeHost(), wait: async () => undefined };
  const { maintaining, thaw } = await maintenanceBeforeListing(directory, ({ put }) => put('One.md', 'one'));
  const lock = join(directory, 'refs/heads/main.lock');
  writeFileSync(lock, '');
  const writer = await openWriter(directory, { host });
  await writer.put('Two.md', 'two');
  const index = join(packs, `pack-${await writer.storage.head()}.idx`);
  const bytes = readFileSync(index);
  overwrite(index, bytes.fill(0, bytes.length - 20));
  const repairer = await openWriter(directory, { host });
  await expect(repairer.storage.repair()).rejects.toMatchObject({ code: 'busy' });
  thaw();
  await maintaining;
  rmSync(lock);
  git(directory, ['gc', '--quiet', '--prune=now']);
  const next = await openWriter(directory);
  expect((await next.storage.check()).problems).toEqual([]);
  await next.storage.settle();
  expect(nativeView(directory).pages).toEqual({ 'One.md': 'one', 'Two.md': 'two' });
});

it.each([
  ['with a reason of a person', 'mine', true],
  ['that a power cut emptied', '', false],
])('of a commit that git reaches, a .keep file %s is %j and stays: %s', async (_, text, stays) => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  await writer.put('One.md', 'one');
  await writer.storage.settle();
  const keep = join(directory, 'objects/pack', `pack-${await writer.storage.head()}.keep`);
  rmSync(keep, { force: true });
  writeFileSync(keep, text);
  await writer.storage.tidy();
  expect(existsSync(keep)).toBe(stays);
  git(directory, ['gc', '--quiet', '--prune=now']);
  expect(nativeView(directory).pages).toEqual({ 'One.md': 'one' });
});

it.each(['is the first', 'is lost'])(
  'releases the packs that a clone brought along, although one without a .keep file %s',
  async (which) => {
    const directory = await newWiki();
    const writer = await openWriter(directory);
    for (const page of ['One.md', 'Two.md', 'Three.md', 'Four.md']) await writer.put(page, 'text');
    const clone = join(temporaryDirectory(), 'clone.git');
    git('/', ['clone', '--quiet', '--bare', directory, clone]);
    const packs = join(clone, 'objects/pack');
    const commits = git(clone, ['rev-list', '--reverse', 'main']).split('\n');
    const chosen = which === 'is lost' ? commits[1] : commits[0];
    rmSync(join(packs, `pack-${chosen}.keep`), { force: true });
    const { put, storage } = await openWriter(clone);
    await put('Five.md', 'text');
    await storage.settle();
    if (which === 'is lost') {
      for (const ending of ['pack', 'idx']) rmSync(join(packs, `pack-${chosen}.${ending}`));
    }
    const next = await openWriter(clone);
    await next.storage.tidy();
    const left = readdirSync(packs).filter((file) => file.endsWith('.keep'));
    expect(left).toEqual(which === 'is lost' ? [`pack-${commits[0]}.keep`] : []);
  },
);

it('says that it could not give git a pack', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  await writer.put('One.md', 'one');
  await writer.storage.settle();
  const keep = join(directory, 'objects/pack', `pack-${await writer.storage.head()}.keep`);
  rmSync(keep, { force: true });
  writeFileSync(keep, '');
  const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    if (name === 'unlink' && path === keep) throw fileSystemError(13, 'EACCES');
  });
  await expect((await openWriter(directory, { fs })).storage.tidy()).rejects.toMatchObject({
    code: 'permission_denied',
    message: expect.stringMatching(/^Releasing packs failed/),
  });
});

it('keeps the packs of processes that died until the branch that reaches them is synced', async () => {
  const directory = await newWiki();
  const { put, storage } = await openWriter(directory);
  await put('Page.md', 'text');
  await storage.close();
  const keep = join(directory, `objects/pack/pack-${git(directory, ['rev-parse', 'main'])}.keep`);
  writeFileSync(keep, '');
  let isRefused = true;
  const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    if (isRefused && name === 'sync' && path.endsWith('/refs/heads')) throw fileSystemError(5, 'EIO');
  });
  const next = await openWriter(directory, { fs });
  await expect(next.storage.tidy()).rejects.toMatchObject({ code: 'io_error' });
  expect(existsSync(keep)).toBe(true);
  isRefused = false;
  await next.storage.tidy();
  expect(existsSync(keep)).toBe(false);
});
