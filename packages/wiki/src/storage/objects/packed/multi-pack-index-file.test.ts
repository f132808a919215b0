import { copyFileSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { git } from '../../../../test/native-git.ts';
import { allObjects, nativeWiki } from '../../../../test/storage/native-wiki.ts';
import {
  type FileSystemCall,
  fileSystemError,
  observedFileSystem,
} from '../../../../test/storage/observed-file-system.ts';
import { LARGE_CACHE, land } from '../../../../test/storage/stores.ts';
import { objectId } from '../../../formats/oid.ts';
import { makeDirectory } from '../../files/directories.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';
import { nodeHost } from '../../files/node-host.ts';
import { layoutOf } from '../../layout.ts';
import { indexPacks } from '../../packs/merging/index-packs.ts';
import { ObjectStore } from '../object-store.ts';

const STALE = fileSystemError(116, 'Unknown system error -116');

test('native git finds nothing wrong with it', async () => {
  const { directory, index } = await indexedWiki();
  const beside = join(directory, 'objects/pack/multi-pack-index');
  copyFileSync(index, beside);
  git(directory, ['multi-pack-index', 'verify']);
  // So that it can be seen to judge.
  const bytes = readFileSync(index);
  bytes[bytes.length - 30] = (bytes.at(-30) ?? 0) ^ 1;
  rmSync(beside);
  writeFileSync(beside, bytes);
  expect(() => git(directory, ['multi-pack-index', 'verify'])).toThrow();
});

test('an object of one of many packs costs the index and its own pack, and no listing', async () => {
  const { directory, index } = await indexedWiki();
  const objects = allObjects(directory);
  for (const { oid, content } of [objects.at(0), objects.at(-1)].filter((object) => object !== undefined)) {
    const { store, calls } = openStore(directory, index);
    expect(content.equals((await store.read(oid)).content)).toBe(true);
    const opened = calls.filter(({ name }) => name === 'open').map(({ path }) => path);
    expect(opened).toEqual([index, expect.stringMatching(/\.pack$/)]);
    expect(calls.filter(({ name }) => name === 'readdir')).toEqual([]);
  }
});

test('older objects are found through it, and newer ones without it', async () => {
  const { directory, index } = await indexedWiki();
  const later = await land(directory, 'e'.repeat(40), ['later']);
  const { store } = openStore(directory, index);
  for (const { oid, content } of allObjects(directory)) {
    expect(content.equals((await store.read(oid)).content)).toBe(true);
  }
  expect(await store.has(later.oids[0] ?? '')).toBe(true);
  await expect(store.read('f'.repeat(40))).rejects.toMatchObject({ code: 'missing_object' });
});

test('it may name packs that were merged since; then a newer index is opened', async () => {
  const { directory, index } = await indexedWiki();
  const objects = allObjects(directory);
  let gone: readonly string[] = [];
  const { store, calls } = openStore(directory, index, 0, ({ name, path }) => {
    // An NFS client that holds a deleted file open cannot read it any more.
    if (name === 'read' && gone.some((pack) => path.endsWith(pack))) throw STALE;
  });
  await store.read(objects[0]?.oid ?? '');
  gone = readdirSync(join(directory, 'objects/pack')).filter((file) => file.endsWith('.pack'));
  git(directory, ['repack', '-adfqk']);
  await indexPacks(partsOf(directory));
  for (const { oid, content } of objects) {
    expect(content.equals((await store.read(oid)).content)).toBe(true);
  }
  expect(calls.filter(({ name, path }) => name === 'open' && path === index)).toHaveLength(2);
});

test('an index that is damaged anywhere, or that names wrong places, is ignored', async () => {
  const { directory, index } = await indexedWiki();
  const objects = allObjects(directory);
  const whole = readFileSync(index);
  for (let at = 0; at < whole.length; at += 7) {
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    writeFileSync(index, bytes);
    const { store } = openStore(directory, index);
    const { oid, content } = objects[at % objects.length] ?? { oid: '', content: Buffer.alloc(0) };
    expect(content.equals((await store.read(oid)).content)).toBe(true);
  }
  for (let length = whole.length - 1; length >= 0; length -= 97) {
    truncateSync(index, length);
    const { store } = openStore(directory, index);
    const { oid, content } = objects[length % objects.length] ?? { oid: '', content: Buffer.alloc(0) };
    expect(content.equals((await store.read(oid)).content)).toBe(true);
  }
});

test('an index whose handle went stale is opened again at once, as a newer one took its place', async () => {
  const { directory, index } = await indexedWiki();
  let failures = 1;
  const { store, calls } = openStore(directory, index, 0, ({ name, path }) => {
    if (name === 'read' && path === index && failures-- > 0) throw STALE;
  });
  await store.read(objectId('blob', Buffer.from('one')));
  expect(calls.filter(({ name, path }) => name === 'open' && path === index)).toHaveLength(2);
  expect(calls.filter(({ name }) => name === 'readdir')).toEqual([]);
});

test.each([
  ['goes stale again and again', 'read', STALE],
  ['cannot be read', 'read', fileSystemError(5, 'EIO')],
  ['may not be opened', 'open', fileSystemError(13, 'EACCES')],
  ['is one file too many', 'open', fileSystemError(24, 'EMFILE')],
] as const)('an index that %s fails no read, and the next read opens it again', async (_, call, failure) => {
  const { directory, index } = await indexedWiki();
  const [one = '', other = ''] = ['one', 'three'].map((content) => objectId('blob', Buffer.from(content)));
  let failing = true;
  const { store, calls } = openStore(directory, index, 0, ({ name, path }) => {
    if (failing && name === call && path === index) throw failure;
  });
  expect(Buffer.from((await store.read(one)).content).toString()).toBe('one');
  failing = false;
  calls.length = 0;
  await store.read(other);
  expect(calls[0]).toMatchObject({ name: 'open', path: index });
});

/** A wiki in several packs of native git's, with deltas, some objects in two of them, and an index over all. */
async function indexedWiki(): Promise<{ directory: string; index: string }> {
  const directory = nativeWiki(30);
  git(directory, ['repack', '-adfq']);
  await land(directory, 'a'.repeat(40), ['one', 'two']);
  await land(directory, 'b'.repeat(40), ['two', 'three']);
  const parts = partsOf(directory);
  await makeDirectory(nodeFileSystem, parts.layout.temporary);
  await indexPacks(parts);
  return { directory, index: parts.layout.multiPackIndex };
}

function partsOf(directory: string) {
  return { fs: nodeFileSystem, host: nodeHost(), layout: layoutOf(directory, 'main') };
}

function openStore(
  directory: string,
  multiPackIndex: string,
  cacheBytes = LARGE_CACHE,
  before: (call: FileSystemCall) => void = () => undefined,
) {
  const calls: FileSystemCall[] = [];
  const fs = observedFileSystem(nodeFileSystem, (call) => {
    calls.push(call);
    before(call);
  });
  const store = new ObjectStore({ fs, gitDirectory: directory, cacheBytes, multiPackIndex });
  onTestFinished(() => store.close());
  return { store, calls };
}
