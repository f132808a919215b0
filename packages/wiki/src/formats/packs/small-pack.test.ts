import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { entryLength, packOf, type RawEntry, repeatingDelta } from '../../../test/git-input/bundles.ts';
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
