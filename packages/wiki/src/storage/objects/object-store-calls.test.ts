import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bareRepository, git } from '../../../test/native-git.ts';
import { allObjects, nativeWiki } from '../../../test/storage/native-wiki.ts';
import {
  type FileSystemCall,
  fileSystemError,
  observedFileSystem,
} from '../../../test/storage/observed-file-system.ts';
import {
  countingStore,
  LARGE_CACHE,
  land,
  NO_CACHE,
  openStore,
  packFiles,
} from '../../../test/storage/stores.ts';
import { encodePack } from '../../formats/packs/pack.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { landPack } from '../packs/land-pack.ts';

test('a pack whose handle went stale is searched again, and its objects are found in their new place', async () => {
  const directory = nativeWiki(40);
  git(directory, ['repack', '-adq']);
  const oids = allObjects(directory).map(({ oid }) => oid);
  const stalePacks = new Set<string>();
  const calls: FileSystemCall[] = [];
  const fs = observedFileSystem(nodeFileSystem, (call) => {
    calls.push(call);
    if (call.name === 'read' && stalePacks.has(call.path)) {
      throw fileSystemError(116, 'Unknown system error -116');
    }
  });
  const store = openStore(directory, { fs, cacheBytes: NO_CACHE });
  await store.read(oids[0] as string);
  for (const path of packFiles(directory)) stalePacks.add(path);
  git(directory, ['repack', '-adfq', '--depth=3']);
  calls.length = 0;
  await store.read(oids[1] as string);
  expect(calls.filter(({ name }) => name === 'readdir')).toHaveLength(1);
  for (const oid of oids) await store.read(oid);
});

test('a pack that this process landed is read without any call of the file system', async () => {
  const directory = bareRepository();
  const pack = encodePack([{ type: 'blob', content: Buffer.from('mine') }]);
  await landPack(nodeFileSystem, join(directory, 'objects/pack'), 'c'.repeat(40), pack);
  const { store, calls } = countingStore(directory, LARGE_CACHE);
  store.addPack('c'.repeat(40), pack);
  expect(new TextDecoder().decode((await store.read(landed(pack, 0))).content)).toBe('mine');
  expect(calls).toEqual([]);
});

test('a pack that the chain names costs one open and one read, and no listing, for all of its objects', async () => {
  const directory = bareRepository();
  const pack = await land(directory, 'd'.repeat(40), ['one', 'two', 'three']);
  const { store, calls } = countingStore(directory, LARGE_CACHE);
  await store.expectPacks(['d'.repeat(40)]);
  for (const oid of pack.oids) await store.read(oid);
  expect(calls.map(({ name }) => name)).toEqual(['open', 'read']);
});

test('an object of a large pack costs one read once the index is known', async () => {
  const directory = nativeWiki(400);
  git(directory, ['repack', '-adfq', '--depth=0']);
  const oids = git(directory, ['rev-list', 'main']).split('\n');
  const { store, calls } = countingStore(directory, LARGE_CACHE);
  for (const oid of oids.slice(0, 100)) await store.read(oid);
  calls.length = 0;
  await store.read(oids[200] as string);
  expect(calls.map(({ name }) => name)).toEqual(['read']);
});

test('a long chain of deltas costs a few reads, not one for each link', async () => {
  const directory = nativeWiki(400);
  git(directory, ['repack', '-adfq', '--depth=50', '--window=50']);
  const { store, calls } = countingStore(directory, NO_CACHE);
  const [pack] = packFiles(directory);
  const lines = git(directory, ['verify-pack', '-v', pack])
    .split('\n')
    .map((line) => line.split(/ +/));
  const [oid = ''] = lines.reduce((a, b) => (b.length === 7 && Number(b[5]) > Number(a[5] ?? 0) ? b : a), []);
  const depth = Number(lines.find((line) => line[0] === oid)?.[5]);
  expect(depth).toBeGreaterThan(20);
  await store.read(oid);
  expect(calls.filter(({ name, path }) => name === 'read' && path === pack).length).toBeLessThan(6);
});

test('the cache grows during bulk reads, and shrinks after them', async () => {
  const directory = nativeWiki(100);
  git(directory, ['repack', '-adfq', '--depth=0']);
  const objects = allObjects(directory);
  const bytes = objects.reduce((sum, { content }) => sum + content.length + 400, 0);
  const { store, calls } = countingStore(directory, bytes);
  const readsOfAll = async () => {
    calls.length = 0;
    for (const { oid } of objects) await store.read(oid);
    return calls.filter(({ path }) => path.endsWith('.pack')).length;
  };
  await store.readMuch(async () => {
    expect(await readsOfAll()).toBeGreaterThan(0);
    expect(await readsOfAll()).toBe(0);
  });
  expect(await readsOfAll()).toBeGreaterThan(0);
});

test('simultaneous reads of one object share one read, and every reader gets the right object', async () => {
  const directory = nativeWiki(100);
  git(directory, ['repack', '-adfq', '--depth=50']);
  const expected = allObjects(directory);
  const { store, calls } = countingStore(directory, 20_000);
  const commit = git(directory, ['rev-parse', 'main']);
  await Promise.all(Array.from({ length: 20 }, () => store.read(commit)));
  expect(calls.filter(({ name }) => name === 'open')).toHaveLength(2);
  const read = await Promise.all(expected.map(({ oid }) => store.read(oid)));
  for (const [number, { content }] of read.entries())
    expect(expected[number]?.content.equals(content)).toBe(true);
});

test('a reader with too many files open closes its idle ones and goes on', async () => {
  const directory = bareRepository();
  const packs = [];
  for (const name of ['a', 'b', 'c', 'd'])
    packs.push(await land(directory, name.repeat(40), [`only in ${name}`]));
  let open = 0;
  const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    if (name === 'open' && path.endsWith('.pack') && ++open > 2) {
      open = 0;
      throw fileSystemError(24, 'EMFILE');
    }
  });
  const store = openStore(directory, { fs, cacheBytes: NO_CACHE });
  const texts = [];
  for (const pack of packs) texts.push(`${(await store.read(landed(pack, 0))).content}`);
  expect(texts).toEqual(['only in a', 'only in b', 'only in c', 'only in d']);
});

test('an error of the file system is named, and the next read tries again', async () => {
  const directory = nativeWiki(2);
  let failing = true;
  const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    if (failing && name === 'read' && path.endsWith('.pack')) throw fileSystemError(5, 'EIO');
  });
  const store = openStore(directory, { fs });
  const commit = git(directory, ['rev-parse', 'main']);
  git(directory, ['repack', '-adq']);
  await expect(store.read(commit)).rejects.toMatchObject({ code: 'io_error', data: { errno: 'EIO' } });
  failing = false;
  expect((await store.read(commit)).type).toBe('commit');
});

function landed(pack: { oids: readonly string[] }, number: number): string {
  return pack.oids[number] as string;
}
