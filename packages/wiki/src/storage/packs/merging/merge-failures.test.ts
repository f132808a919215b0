import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { faultyFileSystem } from '../../../../test/storage/file-systems/faulty-file-system.ts';
import { mergedPacks } from '../../../../test/storage/merged-packs.ts';
import { fileSystemError, observedFileSystem } from '../../../../test/storage/observed-file-system.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

it('a call that fails once ends a merge, and no pack is left out silently', async () => {
  const wiki = mergedPacks();
  for (let at = 0; at < 3; at += 1) wiki.land();
  // A listing, three sizes, and the files of three packs.
  for (let at = 0; at < 22; at += 1) {
    const fs = faultyFileSystem(nodeFileSystem, { error: 'EIO', at, moment: 'before' });
    await expect(wiki.open({ fs }).mergeAll(() => true)).rejects.toMatchObject({ code: 'io_error' });
  }
  expect(wiki.merges).toEqual([]);
});

it.each(['rename', 'unlink'] as const)(
  'a disk on which packs cannot be taken away (%s) is reported',
  async (call) => {
    const wiki = mergedPacks();
    for (let at = 0; at < 12; at += 1) wiki.land();
    await wiki.open().mergeAll(() => true);
    wiki.clock.ms += 2 * DAY_MS;
    for (let at = 0; at < 12; at += 1) wiki.land();
    const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
      const isRetiring = name === 'rename' && path.includes('.merged-');
      if (call === name && (isRetiring || name === 'unlink')) throw fileSystemError(5, 'EIO');
    });
    const merger = wiki.open({ fs });
    const work = async () => {
      if (call === 'rename') await merger.mergeAll(() => true);
      merger.offer('', null);
      await merger.inPassing();
    };
    await expect(work()).rejects.toMatchObject({ code: 'io_error' });
    wiki.expectAll();
  },
);

it.each([
  ['are retired on a shared mount, where no git is at work', true],
  ['keep their index on a local disk while git is at work', false],
])('merged packs %s', async (_, shared) => {
  const wiki = mergedPacks();
  for (let at = 0; at < 3; at += 1) wiki.land();
  wiki.write('tmp_pack_1', '');
  const merger = wiki.open({ shared });
  await merger.mergeAll(() => true);
  expect(wiki.live()).toHaveLength(shared ? 1 : 4);
  rmSync(join(wiki.packs, 'tmp_pack_1'));
  await merger.retireMerged();
  expect(wiki.live()).toHaveLength(1);
});

it('a writer deletes packs that were merged a day ago, forty in one go, if the merged pack is there', async () => {
  const wiki = mergedPacks();
  for (let at = 0; at < 50; at += 1) wiki.land();
  await wiki.open().mergeAll(() => true);
  const retired = () =>
    readdirSync(wiki.packs).filter((file) => file.endsWith('.pack')).length - wiki.live().length;
  const before = retired();
  const passing = async () => {
    const writer = wiki.open();
    writer.offer('', null);
    await writer.inPassing();
  };
  wiki.clock.ms += DAY_MS / 2;
  await passing();
  expect(retired()).toBe(before);
  wiki.clock.ms += DAY_MS;
  await passing();
  expect(before - retired()).toBe(40);
  // The first merge of the two is merged by the second one, and may be deleted already.
  for (const { name } of wiki.merges)
    for (const ending of ['pack', 'idx']) rmSync(join(wiki.packs, `pack-${name}.${ending}`), { force: true });
  const left = retired();
  expect(left).toBeGreaterThan(0);
  await passing();
  expect(retired()).toBe(left);
});

it('a writer merges twenty leftovers at once, and no more', async () => {
  const wiki = mergedPacks();
  for (let at = 0; at < 25; at += 1) wiki.land();
  const merger = wiki.open();
  merger.offer('', null);
  expect(await merger.inPassing()).toBe(true);
  expect(wiki.merges.map(({ replaced }) => replaced.length)).toEqual([20]);
  wiki.expectAll();
});

it('packs of two merges are retired one after the other, each after its own ten seconds', async () => {
  const wiki = mergedPacks();
  const merger = wiki.open();
  for (let merge = 0; merge < 2; merge += 1) {
    for (let at = 0; at < 20; at += 1) {
      const { name, pack } = wiki.land();
      merger.offer(name, pack);
    }
    await merger.inPassing();
    wiki.clock.ms += 6_000;
  }
  const left: number[] = [];
  for (let round = 0; round < 2; round += 1) {
    await merger.inPassing();
    left.push(wiki.live().length);
    wiki.clock.ms += 6_000;
  }
  expect(left).toEqual([22, 2]);
  wiki.expectAll();
});
