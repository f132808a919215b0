import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git } from '../../../test/native-git.ts';
import { overwrite } from '../../../test/storage/stores.ts';
import { freezing, nativeView, newWiki, openWriter } from '../../../test/storage/writers.ts';
import { nodeHost } from '../files/node-host.ts';

it('keeps from git the packs of commits that were linked while the maintenance ran, and the ref lags', async () => {
  const directory = await newWiki();
  let isArmed = false;
  const { fs, frozen, thaw } = freezing(
    ({ name, path }) => isArmed && name === 'readdir' && path.endsWith('objects/pack'),
  );
  const maintainer = await openWriter(directory, { fs });
  await maintainer.put('One.md', 'one');
  await maintainer.storage.settle();
  const writer = await openWriter(directory);
  await writer.storage.head();
  isArmed = true;
  const maintaining = maintainer.storage.tidy();
  await frozen;
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
