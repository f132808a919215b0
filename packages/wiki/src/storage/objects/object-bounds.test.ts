import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import {
  entryLength,
  lengthBytes,
  packOf,
  type RawEntry,
  repeatingDelta,
} from '../../../test/git-input/bundles.ts';
import { bareRepository } from '../../../test/native-git.ts';
import { objectId } from '../../formats/oid.ts';
import { encodePackIndex } from '../../formats/packs/pack-index.ts';
import { localFileSystem } from '../files/local-file-system.ts';
import { readPackSource } from '../packs/merging/pack-source.ts';
import { ObjectStore } from './object-store.ts';

/** Objects that native git brought, which say what they like of themselves. */

const A = 'a'.repeat(40);
const fine: RawEntry = { kind: 'blob', content: Buffer.from('fine') };
const FINE = objectId('blob', fine.content);

test.each<[what: string, says: number]>([
  ['that is gigabytes', 2 ** 32],
  ['that is more than any number of bytes', 2 ** 60],
])('an object %s is not inflated, and the objects beside it are read', async (_, says) => {
  const store = storeOf([fine, { kind: 'blob', says, content: Buffer.from('x') }], [FINE, A]);
  const before = process.memoryUsage().arrayBuffers;
  await expect(store.read(A)).rejects.toMatchObject({ code: 'object_too_large', data: { oid: A } });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
  expect(await store.has(A)).toBe(true);
  expect(String((await store.read(FINE)).content)).toBe('fine');
});

test('a delta of few bytes that makes gigabytes is not applied', async () => {
  const content = Buffer.concat([lengthBytes(4), lengthBytes(2 ** 32), Buffer.from([0x90, 4])]);
  const store = storeOf([fine, { kind: 'offset_delta', content, distance: entryLength(fine) }], [FINE, A]);
  await expect(store.read(A)).rejects.toMatchObject({
    code: 'object_too_large',
    message: `The object ${A} is not read: it says that it has 4294967296 bytes, and the most is 100000000.`,
  });
});

test('an object that takes far more room compressed than it has bytes is inflated no further', async () => {
  const small: RawEntry = { kind: 'blob', content: Buffer.from('small') };
  const store = storeOf([fine, { ...small, emptyBlocks: 1_000_000 }], [FINE, A]);
  await expect(store.read(A)).rejects.toMatchObject({ code: 'object_too_large', data: { oid: A } });
  expect(String((await store.read(FINE)).content)).toBe('fine');
  const few = storeOf([{ ...small, emptyBlocks: 100 }], [objectId('blob', small.content)]);
  expect(Buffer.from((await few.read(objectId('blob', small.content))).content).toString()).toBe('small');
});

test('as many deltas as git allows may rest on one another, and no more', async () => {
  const { entries, oids } = chain(4_096);
  const store = storeOf(entries, oids);
  await expect(store.read(oids[4_096] ?? '')).rejects.toMatchObject({ code: 'object_too_large' });
  expect((await store.read(oids[4_095] ?? '')).content).toHaveLength(4 + 4_095);
});

test('a loose object of gigabytes is not inflated, and one larger than its declared size is damaged', async () => {
  const repository = bareRepository();
  const store = openStore(repository);
  const write = (oid: string, text: Uint8Array) => {
    const folder = join(repository, 'objects', oid.slice(0, 2));
    mkdirSync(folder);
    writeFileSync(join(folder, oid.slice(2)), deflateSync(text));
  };
  write(A, Buffer.from('blob 4294967296\0x'));
  await expect(store.read(A)).rejects.toMatchObject({ code: 'object_too_large' });
  const B = 'b'.repeat(40);
  write(B, Buffer.concat([Buffer.from('blob 1\0'), Buffer.alloc(40_000_000)]));
  const before = process.memoryUsage().arrayBuffers;
  await expect(store.read(B)).rejects.toMatchObject({ code: 'corrupt_object' });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
});

test('a loose object is not read if its file is larger than the size limit of objects', async () => {
  const repository = bareRepository();
  const file = join(repository, 'objects', A.slice(0, 2), A.slice(2));
  mkdirSync(join(repository, 'objects', A.slice(0, 2)));
  writeFileSync(file, deflateSync(Buffer.from('blob 1\0x')));
  truncateSync(file, 2 ** 28);
  const store = openStore(repository);
  const before = process.memoryUsage().arrayBuffers;
  await expect(store.read(A)).rejects.toMatchObject({ code: 'object_too_large', data: { oid: A } });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
  expect(await store.has(A)).toBe(true);
});

test('a loose object is read whose compression begins with long codes', async () => {
  const repository = bareRepository();
  const entries = Array.from({ length: 2_000 }, (_, at) => [
    Buffer.from(`100644 Page ${10_000 + at}.md\0`),
    Buffer.from(objectId('blob', Buffer.from(`${at}`)), 'hex'),
  ]);
  const content = Buffer.concat(entries.flat());
  const bytes = Buffer.concat([Buffer.from(`tree ${content.length}\0`), content]);
  const oid = objectId('tree', content);
  mkdirSync(join(repository, 'objects', oid.slice(0, 2)));
  const file = join(repository, 'objects', oid.slice(0, 2), oid.slice(2));
  writeFileSync(file, deflateSync(bytes));
  const store = openStore(repository);
  expect((await store.read(oid)).content).toHaveLength(content.length);
});

test('a small pack of large objects is not taken up by a merge', () => {
  const base: RawEntry = { kind: 'blob', content: Buffer.alloc(60_000, 'x') };
  const entries = [base];
  for (let times = 800; times < 805; times += 1) {
    const distance = packOf(entries).length - EMPTY_PACK_BYTES;
    entries.push({ kind: 'offset_delta', content: repeatingDelta(60_000, times), distance });
  }
  const { pack, index } = packed(
    entries,
    entries.map((_, at) => `${at}`.repeat(40)),
  );
  expect(pack.length).toBeLessThan(10_000);
  expect(() => readPackSource('a', pack, index)).toThrow(/it holds more than is merged at once/);
});

test('the packs of one merge share the room for their objects, and a sound pack is not reported as damaged', () => {
  const { pack, index } = packed([fine], [FINE]);
  const room = { bytes: 2 * fine.content.length };
  for (const path of ['a', 'b']) expect(readPackSource(path, pack, index, room)).toHaveLength(1);
  const refused = { code: 'object_too_large', message: expect.not.stringContaining('damaged') };
  expect(() => readPackSource('c', pack, index, room)).toThrow(expect.objectContaining(refused));
  const large = packed([{ kind: 'blob', says: 100_000_001, content: Buffer.from('x') }], [A]);
  expect(() => readPackSource('d', large.pack, large.index)).toThrow(expect.objectContaining(refused));
});

const EMPTY_PACK_BYTES = 32;

/** Each delta copies what it rests on and adds a byte. */
function chain(length: number): { entries: RawEntry[]; oids: string[] } {
  const entries = [fine];
  const oids = [FINE];
  let { content } = fine;
  for (let at = 0; at < length; at += 1) {
    const size = content.length;
    const delta = [
      lengthBytes(size),
      lengthBytes(size + 1),
      Buffer.from([0xb0, size & 0xff, size >> 8, 1, 0x61]),
    ];
    const distance = entryLength(entries.at(-1) ?? fine);
    entries.push({ kind: 'offset_delta', content: Buffer.concat(delta), distance });
    content = Buffer.concat([content, Buffer.from('a')]);
    oids.push(objectId('blob', content));
  }
  return { entries, oids };
}

function storeOf(entries: readonly RawEntry[], oids: readonly string[]): ObjectStore {
  const gitDirectory = bareRepository();
  const { pack, index } = packed(entries, oids);
  const path = join(gitDirectory, 'objects', 'pack', `pack-${'1'.repeat(40)}`);
  writeFileSync(`${path}.pack`, pack);
  writeFileSync(`${path}.idx`, index);
  return openStore(gitDirectory);
}

function openStore(gitDirectory: string): ObjectStore {
  const store = new ObjectStore({ fs: localFileSystem, gitDirectory, cacheBytes: 1_000_000 });
  onTestFinished(() => store.close());
  return store;
}

function packed(entries: readonly RawEntry[], oids: readonly string[]) {
  const pack = packOf(entries);
  let offset = 12;
  const places = entries.map((entry, at) => {
    const end = offset + entryLength(entry);
    const place = { oid: oids[at] ?? '', offset, crc32: crc32(pack.subarray(offset, end)) };
    offset = end;
    return place;
  });
  return { pack, index: Buffer.from(encodePackIndex(places, pack.subarray(-20))) };
}
