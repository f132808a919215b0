import { rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { bareRepository } from '../../../test/native-git.ts';
import { observedFileSystem } from '../../../test/storage/observed-file-system.ts';
import { land } from '../../../test/storage/stores.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { listPacks, PackListing } from './pack-listing.ts';

const [ONE, TWO, THREE] = ['1'.repeat(40), '2'.repeat(40), '3'.repeat(40)] as const;

test('packs that come and go are listed with their sizes, for which each is asked once', async () => {
  const { listing, directory, file, asked } = await packs(ONE, TWO);
  const sizes = async () => new Map((await listing.list()).map(({ name, size }) => [name, size]));
  const sizeOf = (name: string) => [name, statSync(file(name, 'pack')).size] as const;
  expect(await sizes()).toEqual(new Map([ONE, TWO].map(sizeOf)));
  await land(directory, THREE, ['a longer text than before', 'and one more']);
  rmSync(file(ONE, 'idx'));
  expect(await sizes()).toEqual(new Map([TWO, THREE].map(sizeOf)));
  expect(asked.sort()).toEqual([ONE, TWO, THREE]);
});

test('whether a pack is kept from git is looked up in each list', async () => {
  const { listing, file } = await packs(ONE);
  const kept = async () => (await listing.list()).map((pack) => pack.kept);
  expect(await kept()).toEqual([false]);
  writeFileSync(file(ONE, 'keep'), '');
  expect(await kept()).toEqual([true]);
  rmSync(file(ONE, 'keep'));
  expect(await kept()).toEqual([false]);
});

test('a pack that is left out is not listed and asked for nothing', async () => {
  const { listing, asked } = await packs(ONE, TWO);
  expect((await listing.list((name) => name === ONE)).map(({ name }) => name)).toEqual([TWO]);
  expect(asked).toEqual([TWO]);
});

test('only complete packs are listed, and none that native git keeps or holds in an index over all', async () => {
  const { listing, directory, file } = await packs(ONE, TWO);
  for (const other of [
    `x-pack-${THREE}.idx`,
    `pack-${THREE}.idx.tmp`,
    `pack-${'3'.repeat(39)}.idx`,
    'pack-x.idx',
  ])
    writeFileSync(join(directory, 'objects/pack', other), '');
  for (const other of [`x-pack-${THREE}.pack`, `pack-${THREE}.pack`, `pack-${'3'.repeat(39)}.pack`])
    writeFileSync(join(directory, 'objects/pack', other), '');
  const shown = async () => (await listing.list()).map(({ name, kept }) => [name, kept]).sort();
  expect(await shown()).toEqual([
    [ONE, false],
    [TWO, false],
  ]);
  for (const ending of ['bitmap', 'mtimes', 'promisor', 'keep']) {
    writeFileSync(file(TWO, ending), '');
    expect(await shown(), ending).toEqual([
      [ONE, false],
      [TWO, true],
    ]);
    rmSync(file(TWO, ending));
  }
  const overAll = join(directory, 'objects/pack/multi-pack-index');
  writeFileSync(overAll, '');
  expect(await shown()).toEqual([
    [ONE, true],
    [TWO, true],
  ]);
  rmSync(overAll);
  writeFileSync(join(directory, `pack-${THREE}.idx`), '');
  expect(
    (await listPacks(nodeFileSystem, join(directory, 'objects/pack'))).map(({ name }) => name).sort(),
  ).toEqual([ONE, TWO]);
});

test('a pack that is deleted while it is listed is left out, and a folder that cannot be read is an error', async () => {
  const { directory } = await packs(ONE, TWO);
  const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    if (name === 'lstat' && path.includes(ONE)) rmSync(path, { force: true });
  });
  const listed = await listPacks(fs, join(directory, 'objects/pack'));
  expect(listed.map(({ name }) => name)).toEqual([TWO]);
  await expect(listPacks(nodeFileSystem, join(directory, 'HEAD'))).rejects.toThrow(
    /^Listing the packs failed/,
  );
});

/** A listing, and the names of the packs whose size it asked for. */
async function packs(...names: string[]) {
  const directory = bareRepository();
  for (const name of names) await land(directory, name, [`of ${name}`]);
  const asked: string[] = [];
  const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    if (name === 'lstat') asked.push(basename(path).slice('pack-'.length, -'.pack'.length));
  });
  const packDirectory = join(directory, 'objects/pack');
  const file = (name: string, ending: string) => join(packDirectory, `pack-${name}.${ending}`);
  return { listing: new PackListing(fs, packDirectory), directory, file, asked };
}
