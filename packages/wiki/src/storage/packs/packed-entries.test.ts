import {
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { longHistory } from '../../../test/fetched-histories.ts';
import { git, gitBytes } from '../../../test/native-git.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import type { PackedEntries, PackedEntry } from '../storage.ts';
import { openPackedEntries } from './packed-entries.ts';

test('gives every object of a large pack as it is stored there', async () => {
  const { directory } = longHistory();
  const packs = join(directory, 'objects', 'pack');
  const oids = allOids(directory);
  const entries = await entriesOf(await openPackedEntries(nodeFileSystem, packs), oids);
  const known = judged(directory, oids);
  const inPack = new Set(oids);
  let deltas = 0;
  for (const [at, entry] of entries.entries()) {
    const [type, size] = known[at] ?? [];
    const inflated = inflateSync(entry?.compressed ?? new Uint8Array());
    expect(inflated).toHaveLength(entry?.size ?? -1);
    if (entry?.base == null) {
      expect([entry?.type, entry?.size]).toEqual([type, Number(size)]);
    } else {
      deltas += 1;
      expect(entry.type).toBeNull();
      expect(inPack).toContain(entry.base);
    }
  }
  expect(deltas).toBeGreaterThan(100);
});

test('leaves out what is in no large pack, what is damaged, and what is gone', async () => {
  const { directory } = longHistory();
  const packs = join(directory, 'objects', 'pack');
  const oids = allOids(directory).slice(0, 50);
  const entries = await openPackedEntries(nodeFileSystem, packs);
  const [first] = await entriesOf(entries, oids);
  expect(await entries.read(['f'.repeat(40), oids[0] ?? ''], ALL)).toEqual([null, first]);

  const pack = join(packs, readdirSync(packs).find((name) => name.endsWith('.pack')) ?? '');
  const bytes = readFileSync(pack);
  const at = bytes.indexOf(first?.compressed ?? new Uint8Array());
  rmSync(pack);
  writeFileSync(pack, bytes.with(at + 5, (bytes[at + 5] ?? 0) ^ 1));
  const [damaged, ...others] = (await entries.read(oids, ALL)) ?? [];
  expect(damaged).toBe('damaged');
  expect(others).toHaveLength(oids.length - 1);
  expect(others).not.toContain('damaged');
  expect(others).not.toContain(null);

  rmSync(pack);
  expect(await entries.read(oids.slice(0, 2), ALL)).toBeNull();
});

test('opens no more packs than the indexes of all have room for', async () => {
  const { directory } = longHistory();
  const packs = join(directory, 'objects', 'pack');
  const index = readdirSync(packs).find((name) => name.endsWith('.idx')) ?? '';
  const { size } = statSync(join(packs, index));
  const opened = async (bytes: number) => (await openPackedEntries(nodeFileSystem, packs, bytes)).packs;
  const [none, one] = [await opened(size - 1), await opened(size)];
  expect(none).not.toBe(one);
  for (const suffix of ['.pack', '.idx'])
    copyFileSync(join(packs, index.replace('.idx', suffix)), join(packs, `pack-${'f'.repeat(40)}${suffix}`));
  expect(await opened(2 * size - 1)).toBe(one);
  expect(await opened(2 * size)).not.toBe(one);
});

test('takes an object as damaged if the index names a place behind the pack', async () => {
  const { directory, tip } = longHistory();
  const packs = join(directory, 'objects', 'pack');
  const [first = '', second = ''] = allOids(directory).sort();
  const index = join(packs, readdirSync(packs).find((name) => name.endsWith('.idx')) ?? '');
  const bytes = readFileSync(index);
  const count = bytes.readUInt32BE(1_028);
  // The offset of the first object, behind the header with the fan-out, the oids and the checksums.
  bytes.writeUInt32BE(0x7000_0000, 1_032 + count * 24);
  rmSync(index);
  writeFileSync(index, bytes);
  const entries = await openPackedEntries(nodeFileSystem, packs);
  expect(await entries.read([first], ALL)).toEqual(['damaged']);
  expect(await entries.read([first, tip, second], 1)).toHaveLength(1);
  expect(await entries.objects().read(first)).toBeNull();
});

test('passes over a pack whose index is too large for memory', async () => {
  const { directory, tip } = longHistory();
  const packs = join(directory, 'objects', 'pack');
  const larger = join(packs, `pack-${'0'.repeat(40)}`);
  writeFileSync(`${larger}.pack`, Buffer.alloc(300_000));
  writeFileSync(`${larger}.idx`, '');
  // Without room on the disk.
  truncateSync(`${larger}.idx`, 64_000_001);
  const entries = await openPackedEntries(nodeFileSystem, packs);
  expect(await entries.read([tip], ALL)).toMatchObject([{ type: 'commit' }]);
});

test('gives as many as take so many bytes, and at least one', async () => {
  const { directory } = longHistory();
  const oids = allOids(directory);
  const opened = await openPackedEntries(nodeFileSystem, join(directory, 'objects', 'pack'));
  const all = await entriesOf(opened, oids);
  expect(await entriesOf(opened, oids, 1)).toEqual(all.slice(0, 1));
  const some = await entriesOf(opened, oids, 20_000);
  expect(some).toEqual(all.slice(0, some.length));
  const bytesIn = (count: number) =>
    all.slice(0, count).reduce((sum, entry) => sum + (entry?.compressed.length ?? 0), 0);
  expect(bytesIn(some.length)).toBeLessThan(20_000);
  // Each has a header of at most 25 bytes besides.
  expect(bytesIn(some.length + 1) + 25 * (some.length + 1)).toBeGreaterThan(20_000);
});

test('names equal packs alike, and others otherwise', async () => {
  const { directory } = longHistory();
  const nameOf = async () =>
    (await openPackedEntries(nodeFileSystem, join(directory, 'objects', 'pack'))).packs;
  const before = await nameOf();
  expect(await nameOf()).toBe(before);
  git(directory, ['repack', '-adfq', '--depth=3']);
  expect(await nameOf()).not.toBe(before);
});

async function entriesOf(
  packed: PackedEntries,
  oids: readonly string[],
  most = ALL,
): Promise<(PackedEntry | null)[]> {
  const entries = (await packed.read(oids, most)) ?? [];
  return entries.map((entry) => (entry === 'damaged' ? null : entry));
}

const ALL = 1e9;

function allOids(directory: string): string[] {
  return git(directory, ['rev-list', '--all', '--objects', '--no-object-names']).split('\n');
}

/** The type and the size of each. */
function judged(directory: string, oids: readonly string[]): string[][] {
  const command = ['cat-file', '--batch-check=%(objecttype) %(objectsize)'];
  const lines = gitBytes(directory, command, { input: oids.join('\n') })
    .toString()
    .trim()
    .split('\n');
  return lines.map((line) => line.split(' '));
}
