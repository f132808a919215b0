import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bareRepository } from '../../../test/native-git.ts';
import { fileSystemError, observedFileSystem } from '../../../test/storage/observed-file-system.ts';
import { openStore } from '../../../test/storage/stores.ts';
import { type EncodedPack, encodePack } from '../../formats/packs/pack.ts';
import { makeFileWith } from '../files/durable-file.ts';
import type { FileSystem } from '../files/file-system.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { openPackDirectory } from './pack-directory.ts';

const [ONE, TWO] = ['1'.repeat(40), '2'.repeat(40)];

test('beside native git each pack is kept from before it lands until its commit is in the branch', async () => {
  const { packs, files, made, endings, synced } = opened({ beside: true });
  await packs.land(ONE, PACK);
  expect(synced().sort()).toEqual(['', `/pack-${ONE}.idx.tmp`, `/pack-${ONE}.pack`]);
  expect(made).toEqual([{ path: files(ONE, 'keep'), packs: [] }]);
  expect(endings(ONE)).toEqual(['idx', 'keep', 'pack']);
  expect(packs.kept()).toEqual([]);
  packs.linked(ONE, PACK);
  expect([packs.kept(), packs.takeMergeable()]).toEqual([[ONE], []]);
  await packs.release([ONE, TWO]);
  expect(endings(ONE)).toEqual(['idx', 'pack']);
  expect([packs.kept(), packs.takeMergeable(), packs.takeMergeable()]).toEqual([
    [],
    [{ commit: ONE, pack: PACK }],
    [],
  ]);
});

test('on a shared mount nothing is kept from git, and a linked pack may be merged at once', async () => {
  const { packs, made, endings, synced } = opened({ beside: false });
  await packs.land(ONE, PACK);
  expect(synced().sort()).toEqual([`/pack-${ONE}.idx.tmp`, `/pack-${ONE}.pack`]);
  packs.linked(ONE, PACK);
  expect([made, endings(ONE), packs.kept()]).toEqual([[], ['idx', 'pack'], []]);
  expect(packs.takeMergeable()).toEqual([{ commit: ONE, pack: PACK }]);
  packs.linkedPush(TWO);
  expect(packs.kept()).toEqual([]);
});

test('a linked pack is read at once, and a large one is not kept in memory', async () => {
  const { packs, store } = opened({ beside: false });
  const large = encodePack([{ type: 'blob', content: Buffer.alloc(300_000, 'x') }]);
  const padded = { ...large, packBytes: Buffer.concat([large.packBytes, Buffer.alloc(2 ** 18)]) };
  await packs.land(ONE, PACK);
  packs.linked(ONE, PACK);
  const { content } = await store.read(PACK.oids[0] ?? '');
  expect(Buffer.from(content).toString()).toBe('a page');
  packs.linked(TWO, padded);
  expect(packs.takeMergeable()).toEqual([
    { commit: ONE, pack: PACK },
    { commit: TWO, pack: null },
  ]);
});

test('a pack that will never be linked is removed, and beside git only its keep file', async () => {
  for (const beside of [false, true]) {
    const { packs, endings } = opened({ beside });
    await packs.land(ONE, PACK);
    await packs.land(TWO, PACK);
    packs.withdraw(ONE);
    expect(endings(ONE)).toContain('pack');
    await packs.sweep();
    expect(endings(ONE)).toEqual(beside ? ['idx', 'pack'] : []);
    expect(endings(TWO)).toEqual(beside ? ['idx', 'keep', 'pack'] : ['idx', 'pack']);
    await packs.sweep();
  }
});

test('a pack that failed to land is withdrawn, a push as well, and its leftovers go with the next sweep', async () => {
  for (const beside of [false, true]) {
    let isFull = true;
    const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
      if (isFull && name === 'rename' && path.endsWith('.idx')) throw fileSystemError(28, 'ENOSPC');
    });
    const { packs, endings, files } = opened({ beside, fs });
    await expect(packs.land(ONE, PACK)).rejects.toThrow('Writing a pack failed');
    await expect(packs.landPushed(TWO, PACK, { from: null, to: ONE })).rejects.toThrow(
      'Writing a pack failed',
    );
    isFull = false;
    writeFileSync(files(ONE, 'idx.tmp'), '');
    expect(endings(TWO)).toEqual(beside ? ['keep'] : []);
    await packs.sweep();
    expect([endings(ONE), endings(TWO)]).toEqual([[], []]);
  }
});

test('the pack of a push says what it is kept for, and stays until it is released', async () => {
  const { packs, endings, files, synced } = opened({ beside: true });
  await packs.landPushed(TWO, PACK, { from: null, to: ONE });
  // Once for the names, after all else.
  expect(synced().at(-1)).toBe('');
  expect(readFileSync(files(TWO, 'keep'), 'utf8')).toBe(
    `Pagetree keeps this pack until the push ${'0'.repeat(40)} ${ONE} is in the branch.\n`,
  );
  packs.linkedPush(TWO);
  expect(packs.kept()).toEqual([TWO]);
  await packs.release(packs.kept());
  expect([endings(TWO), packs.takeMergeable()]).toEqual([['idx', 'pack'], []]);
  const shared = opened({ beside: false });
  await shared.packs.landPushed(TWO, PACK, { from: ONE, to: ONE });
  expect([shared.endings(TWO), shared.synced().includes('')]).toEqual([['idx', 'pack'], false]);
});

test('a pack that a power cut hid is completed, where names are not synced by the server', async () => {
  for (const beside of [true, false]) {
    const { packs, files, synced } = opened({ beside });
    await packs.land(ONE, PACK);
    renameSync(files(ONE, 'idx'), files(ONE, 'idx.tmp'));
    await packs.complete(ONE);
    expect(existsSync(files(ONE, 'idx'))).toBe(beside);
    const before = synced().length;
    await packs.sync();
    expect(synced().slice(before)).toEqual(beside ? [''] : []);
  }
});

test('a leftover that cannot be removed is no failure, and a defect is reported', async () => {
  for (const [error, isReported] of [
    [fileSystemError(13, 'EACCES'), false],
    [new TypeError('a defect'), true],
  ] as const) {
    const fs = observedFileSystem(nodeFileSystem, ({ name }) => {
      if (name === 'unlink') throw error;
    });
    const { packs } = opened({ beside: false, fs });
    await packs.land(ONE, PACK);
    packs.withdraw(ONE);
    if (isReported) await expect(packs.sweep()).rejects.toBe(error);
    else await packs.sweep();
  }
});

const PACK: EncodedPack = encodePack([{ type: 'blob', content: Buffer.from('a page') }]);

/** The packs of a process, beside native git or on a shared mount. */
function opened({ beside, fs = nodeFileSystem }: { beside: boolean; fs?: FileSystem }) {
  const gitDirectory = bareRepository();
  const directory = join(gitDirectory, 'objects/pack');
  mkdirSync(directory, { recursive: true });
  const files = (name: string, ending: string) => join(directory, `pack-${name}.${ending}`);
  const made: { path: string; packs: string[] }[] = [];
  const makeKeep = async (path: string) => {
    made.push({ path, packs: readdirSync(directory) });
    writeFileSync(path, '');
  };
  const calls: { name: string; path: string }[] = [];
  const observed = observedFileSystem(fs, (call) => void calls.push(call));
  const store = openStore(gitDirectory);
  const packs = openPackDirectory({
    fs: observed,
    directory,
    makeKeep: beside ? makeKeep : undefined,
    makeFile: makeFileWith(observed),
    objects: store,
  });
  const endings = (name: string) =>
    readdirSync(directory)
      .flatMap((file) => (file.startsWith(`pack-${name}.`) ? [file.slice(46)] : []))
      .sort();
  const synced = () =>
    calls.filter(({ name }) => name === 'sync').map(({ path }) => path.slice(directory.length));
  return { packs, files, made, endings, store, synced };
}
