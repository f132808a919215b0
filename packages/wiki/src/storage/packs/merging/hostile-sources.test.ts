import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  entryLength,
  lengthBytes,
  packOf,
  type RawEntry,
  repeatingDelta,
} from '../../../../test/git-input/bundles.ts';
import { type ObjectType, objectId } from '../../../formats/oid.ts';
import { encodePack } from '../../../formats/packs/pack.ts';
import { encodePackIndex } from '../../../formats/packs/pack-index.ts';
import { mergePacks } from './combine-packs.ts';
import { readPackSource, writtenPackSource } from './pack-source.ts';

const BASE = Buffer.from('base');
const TWICE = Buffer.from('basebase');
const FOUR_TIMES = Buffer.from('basebasebasebase');
const base = (kind: ObjectType = 'blob'): RawEntry => ({ kind, content: BASE });
/** Makes twice of what lies `before` bytes before it. */
const twice = (length: number, before: number): RawEntry => ({
  kind: 'offset_delta',
  content: repeatingDelta(length, 2),
  distance: before,
});
const named = (length: number, oid: string): RawEntry => ({
  kind: 'ref_delta',
  content: repeatingDelta(length, 2),
  base: oid,
});

test('deltas of both kinds give the objects that git would give, with the type of what they rest on', () => {
  for (const type of ['commit', 'tree', 'blob', 'tag'] as const) {
    const oids = [BASE, TWICE, FOUR_TIMES].map((content) => objectId(type, content));
    const byOffset = [base(type), twice(4, entryLength(base(type))), twice(8, entryLength(twice(4, 99)))];
    // Git may store a delta before its base.
    const byName = [named(8, oids[1] ?? ''), named(4, oids[0] ?? ''), base(type)];
    for (const [entries, order] of [
      [byOffset, oids],
      [byName, oids.toReversed()],
    ] as const) {
      const { pack, index } = indexed(entries, order);
      const read = readPackSource('pack', pack, index);
      expect(read.map(({ oid }) => oid)).toEqual(order);
      const found = new Map(read.map((entry) => [entry.oid, entry]));
      for (const [at, content] of [BASE, TWICE, FOUR_TIMES].entries()) {
        const entry = found.get(oids[at] ?? '');
        expect(entry?.type).toBe(type);
        expect(Buffer.from(entry?.content ?? [])).toEqual(content);
        const delta = at === 0 ? null : { base: oids[at - 1], length: repeatingDelta(4 * at, 2).length };
        expect(entry?.delta).toEqual(delta);
      }
    }
  }
});

test('a pack that does not hold what its index says is damaged, and none of it is merged', () => {
  const [one, two, four] = [BASE, TWICE, FOUR_TIMES].map((content) => objectId('blob', content)) as [
    string,
    string,
    string,
  ];
  const distance = entryLength(base());
  const broken = (content: Uint8Array): RawEntry => ({ kind: 'offset_delta', content, distance });
  for (const [entries, oids, reason] of [
    [[named(4, four)], [two], `a delta rests on ${four}, which is not in it`],
    [[named(8, four), named(8, two)], [two, four], 'a delta rests on'],
    [[base(), twice(4, distance + 5)], [one, two], 'rests on nothing'],
    [[base(), twice(4, 3)], [one, two], 'rests on nothing'],
    [[base(), broken(Buffer.from([0x84]))], [one, two], 'the delta ends too early'],
    [[base(), broken(repeatingDelta(5, 2))], [one, two], 'the delta is for another base'],
    [[base(), broken(Buffer.from([4, 9, 0x90, 4]))], [one, two], 'the delta gives too few bytes'],
    [[base(), twice(4, distance)], [one, four], `object ${four} is damaged`],
    [[base('tree')], [one], `object ${one} is damaged`],
    [[{ ...base(), says: 5 }], [one], 'its entry at byte 12 cannot be read'],
  ] as const) {
    const { pack, index } = indexed(entries, oids);
    expect(() => readPackSource('/x/pack-1', pack, index), reason).toThrow(reason);
    expect(() => readPackSource('/x/pack-1', pack, index)).toThrow(/^The pack \/x\/pack-1 is damaged: /);
    expect(outcomeOf(() => readPackSource('', pack, index))).toBe('corrupt_pack');
  }
  const { pack, index } = indexed([base()], [one]);
  for (const cut of [index.subarray(0, -1), index.subarray(4), Buffer.alloc(0)])
    expect(() => readPackSource('x', pack, cut)).toThrow('its index is damaged');
});

test('bytes that are not those that were written are not copied, though they inflate to the same', () => {
  const pack = encodePack([{ type: 'blob', content: BASE }]);
  // The header of zlib's format, which also says how hard the writer tried.
  const other = Buffer.from(pack.packBytes);
  expect(other.readUInt16BE(13) % 31).toBe(0);
  other.writeUInt16BE(other.readUInt16BE(13) === 0x7801 ? 0x785e : 0x7801, 13);
  expect(() => readPackSource('x', other, pack.indexBytes)).toThrow(/object [0-9a-f]{40} is damaged/);
  expect(() => writtenPackSource('x', { ...pack, packBytes: other })).toThrow(
    /object [0-9a-f]{40} is damaged/,
  );
});

test('a chain of deltas as deep as git makes it is merged, and a deeper one is left alone', async () => {
  const { oids, chain } = chainOf(4_096);
  const deepest = indexed(chain.slice(1), oids.slice(1));
  const read = readPackSource('x', deepest.pack, deepest.index);
  const merged = await mergePacks([read]);
  expect(readPackSource('x', merged.packBytes, merged.indexBytes)).toHaveLength(4_096);
  const deeper = indexed(chain, oids);
  expect(outcomeOf(() => readPackSource('x', deeper.pack, deeper.index))).toBe('corrupt_pack');
});

test('objects and deltas that declare more than there is room for are left alone', () => {
  const [one, two] = [BASE, TWICE].map((content) => objectId('blob', content)) as [string, string];
  const { pack, index } = indexed([base(), twice(4, entryLength(base()))], [one, two]);
  const needed = 4 + repeatingDelta(4, 2).length + 8;
  const room = { bytes: needed };
  expect(readPackSource('x', pack, index, room)).toHaveLength(2);
  expect(room.bytes).toBe(0);
  for (const bytes of [needed - 1, 4, 3, 0])
    expect(outcomeOf(() => readPackSource('x', pack, index, { bytes }))).toBe('object_too_large');
  // A few bytes that declare more than any object may have.
  const huge = indexed([{ kind: 'blob', content: BASE, says: 100_000_001 }], [one]);
  expect(outcomeOf(() => readPackSource('x', huge.pack, huge.index, { bytes: 2 ** 40 }))).toBe(
    'object_too_large',
  );
  const gigabytes = Buffer.concat([lengthBytes(4), lengthBytes(2 ** 33), Buffer.from([0x90, 4])]);
  const delta: RawEntry = { kind: 'offset_delta', content: gigabytes, distance: entryLength(base()) };
  const made = indexed([base(), delta], [one, two]);
  expect(outcomeOf(() => readPackSource('x', made.pack, made.index))).toBe('object_too_large');
});

test('a pack in memory is merged only as far as its objects are in memory and find room', () => {
  const objects = [BASE, TWICE].map((content) => ({ type: 'blob' as const, content }));
  const pack = encodePack(objects);
  const room = { bytes: 12 };
  expect(writtenPackSource('x', pack, room)).toHaveLength(2);
  expect(room.bytes).toBe(0);
  expect(outcomeOf(() => writtenPackSource('x', pack, { bytes: 11 }))).toBe('object_too_large');
  const partly = {
    ...pack,
    objects: pack.objects.map((each, at) => (at === 1 ? { ...each, object: null } : each)),
  };
  expect(() => writtenPackSource('x', partly)).toThrow('is not in memory');
});

/** The pack of these entries, and an index that gives them these oids. */
function indexed(entries: readonly RawEntry[], oids: readonly string[]) {
  const pack = packOf(entries);
  let offset = 12;
  const places = entries.map((entry, at) => {
    const from = offset;
    offset += entryLength(entry);
    return { oid: oids[at] ?? '', offset: from, crc32: crc32(pack.subarray(from, offset)) };
  });
  return { pack, index: encodePackIndex(places, pack.subarray(-20)) };
}

/** Versions that each rest on the one before, the newest first, and the ids of all. */
function chainOf(deltas: number): { oids: string[]; chain: RawEntry[] } {
  const contents = Array.from({ length: deltas + 1 }, (_, at) => Buffer.from(`version ${at}`));
  const oids = contents.map((content) => objectId('blob', content));
  const chain = contents.map((content, at): RawEntry => {
    const before = contents[at - 1];
    if (before === undefined) return { kind: 'blob', content };
    const inserted = [Buffer.from([content.length]), content];
    const delta = Buffer.concat([lengthBytes(before.length), lengthBytes(content.length), ...inserted]);
    return { kind: 'ref_delta', content: delta, base: oids[at - 1] ?? '' };
  });
  return { oids: oids.reverse(), chain: chain.reverse() };
}

function outcomeOf(act: () => unknown): string {
  try {
    act();
    return 'read';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}
