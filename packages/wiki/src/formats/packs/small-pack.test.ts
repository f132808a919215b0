import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  entryLength,
  lengthBytes,
  packOf,
  type RawEntry,
  repeatingDelta,
  sealed,
} from '../../../test/git-input/bundles.ts';
import { git } from '../../../test/native-git.ts';
import { allObjects, nativeWiki } from '../../../test/storage/native-wiki.ts';
import { packFiles } from '../../../test/storage/stores.ts';
import { encodePack } from './pack.ts';
import { parseSmallPack } from './small-pack.ts';

test('a small pack of native git is read whole without its index, deltas of either kind included', () => {
  const directory = nativeWiki(40);
  for (const byOffset of [true, false]) {
    git(directory, ['-c', `repack.useDeltaBaseOffset=${byOffset}`, 'repack', '-adfq', '--depth=50']);
    const [pack, index] = packFiles(directory);
    const objects = parseSmallPack(readFileSync(pack)) ?? [];
    const shown = git(directory, ['show-index'], readFileSync(index)).split('\n');
    const expected = new Map(shown.map((line) => [line.split(' ')[1], Number(line.split(' ')[0])]));
    expect(new Map(objects.map(({ oid, offset }) => [oid, offset]))).toEqual(expected);
    const contents = new Map(objects.map(({ oid, object }) => [oid, object.content]));
    for (const { oid, content } of allObjects(directory)) {
      expect(content.equals(contents.get(oid) ?? new Uint8Array())).toBe(true);
    }
  }
});

test('a pack that is cut, damaged or large is left to its index', () => {
  const { packBytes } = encodePack([{ type: 'blob', content: Buffer.from('content') }]);
  for (let length = 0; length < packBytes.length; length += 1) {
    expect(parseSmallPack(packBytes.subarray(0, length))).toBe(null);
  }
  for (let at = 0; at < packBytes.length; at += 1) {
    const damaged = Uint8Array.from(packBytes);
    damaged[at] = (damaged[at] as number) ^ 1;
    expect(parseSmallPack(damaged)).toBe(null);
  }
  const many = Array.from({ length: 300 }, (_, number) => ({
    type: 'blob' as const,
    content: Buffer.from(`${number}`),
  }));
  expect(parseSmallPack(encodePack(many).packBytes)).toBe(null);
});

test('a small pack whose objects are large, each or together, is left to its index without inflating much', () => {
  const base: RawEntry = { kind: 'blob', content: Buffer.alloc(60_000, 'x') };
  const deltas = (times: number[]): RawEntry[] => {
    const entries = [base];
    let distance = entryLength(base);
    for (const count of times) {
      const delta: RawEntry = { kind: 'offset_delta', content: repeatingDelta(60_000, count), distance };
      entries.push(delta);
      distance += entryLength(delta);
    }
    return entries;
  };
  const before = process.memoryUsage().arrayBuffers;
  const made = () => process.memoryUsage().arrayBuffers - before;
  expect(parseSmallPack(packOf(deltas([800])))).toBe(null);
  expect(made()).toBeLessThan(2_000_000);
  expect(parseSmallPack(packOf(deltas([100, 101, 102, 103, 104, 105])))).toBe(null);
  const blobs = [20_000_000, 20_000_001].map(
    (size): RawEntry => ({ kind: 'blob', content: Buffer.alloc(size) }),
  );
  expect(parseSmallPack(packOf(blobs))).toBe(null);
  expect(parseSmallPack(packOf(deltas([100, 101])))).toHaveLength(3);
});

test('a pack that lies about itself, sealed as if it were sound, is left to its index', () => {
  const base: RawEntry = { kind: 'blob', content: Buffer.from('base') };
  const distance = entryLength(base);
  const delta = (content: Uint8Array, more: Partial<RawEntry> = {}): RawEntry[] => [
    base,
    { kind: 'offset_delta', content, distance, ...more },
  ];
  expect(parseSmallPack(packOf(delta(repeatingDelta(4, 2))))).toHaveLength(2);
  const lies: Record<string, Buffer> = {
    'an object more': packOf([base], 2),
    'a base before the pack': packOf(delta(repeatingDelta(4, 2), { distance: distance + 12 })),
    'a base within another entry': packOf(delta(repeatingDelta(4, 2), { distance: distance - 1 })),
    'a base that is not there': packOf([
      { kind: 'ref_delta', content: repeatingDelta(4, 2), base: 'a'.repeat(40) },
    ]),
    'a delta without sizes': packOf(delta(Buffer.from([0x84]))),
    'a delta for another base': packOf(delta(repeatingDelta(5, 2))),
    'a delta that makes too little': packOf(delta(Buffer.from([4, 9, 0x90, 4]))),
    'a size that is not that of the content': packOf([{ ...base, says: 5 }]),
    'another version': sealed(Buffer.from(packOf([base]).subarray(0, -20)).fill(3, 7, 8)),
    'another signature': sealed(Buffer.from(packOf([base]).subarray(0, -20)).fill('x', 0, 1)),
  };
  for (const [lie, pack] of Object.entries(lies)) expect(parseSmallPack(pack), lie).toBe(null);
});

test('a pack at the bounds of unpacking at once is read, and one above them is not', () => {
  const blobs = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ type: 'blob' as const, content: Buffer.from(`${at}`) }));
  expect(parseSmallPack(encodePack(blobs(256)).packBytes)).toHaveLength(256);
  expect(parseSmallPack(encodePack(blobs(257)).packBytes)).toBe(null);
  const large = (size: number): RawEntry => ({ kind: 'blob', content: Buffer.alloc(size) });
  expect(parseSmallPack(packOf([large(7_000_000), large(7_000_001)]))).toHaveLength(2);
  expect(parseSmallPack(packOf([large(9_000_000), large(9_000_001)]))).toBe(null);
  // Each copies one byte two million times, and takes six million bytes itself.
  const base: RawEntry = { kind: 'blob', content: Buffer.from('x') };
  const wordy = Buffer.concat([
    lengthBytes(1),
    lengthBytes(2_000_000),
    Buffer.alloc(6_000_000, Buffer.from([0xb0, 1, 0])),
  ]);
  const first: RawEntry = { kind: 'offset_delta', content: wordy, distance: entryLength(base) };
  const second: RawEntry = { ...first, distance: entryLength(base) + entryLength(first) };
  expect(parseSmallPack(packOf([base, first]))).toHaveLength(2);
  expect(parseSmallPack(packOf([base, first, second, large(1_000_000)]))).toBe(null);
});
