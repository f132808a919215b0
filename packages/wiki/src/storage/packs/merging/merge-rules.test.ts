import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { entryLength, packOf, type RawEntry, repeatingDelta } from '../../../../test/git-input/bundles.ts';
import { faultyFileSystem } from '../../../../test/storage/file-systems/faulty-file-system.ts';
import { type MergedPacks, mergedPacks } from '../../../../test/storage/merged-packs.ts';
import { observedFileSystem } from '../../../../test/storage/observed-file-system.ts';
import { objectId } from '../../../formats/oid.ts';
import { encodePack } from '../../../formats/packs/pack.ts';
import { encodePackIndex } from '../../../formats/packs/pack-index.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';
import { isSmall, type PackMerger } from './pack-merger.ts';

const MB = 1_000_000;
const DAY_MS = 24 * 60 * 60 * 1000;

type Action = (merger: PackMerger, wiki: MergedPacks) => Promise<unknown> | unknown;
const GIT_AT_WORK = 'tmp_pack_1';
const ACTIONS: Record<string, Action> = {
  write,
  'write twenty': (merger, wiki) => {
    for (let at = 0; at < 20; at += 1) write(merger, wiki);
  },
  'another writes': (_, wiki) => wiki.land(),
  'another writes much': (_, wiki) => wiki.land(300_000),
  'merge in passing': (merger) => merger.inPassing(),
  'merge all': (merger) => merger.mergeAll(() => true),
  'merge once': (merger) => merger.mergeAll(goOnFor(1)),
  retire: (merger) => merger.retireMerged(),
  'wait two days': (_, wiki) => {
    wiki.clock.ms += 2 * DAY_MS;
  },
  'git begins': (_, wiki) => wiki.write(GIT_AT_WORK, ''),
  'git ends': (_, wiki) => rmSync(join(wiki.packs, GIT_AT_WORK), { force: true }),
};

it('no object is lost, whatever several mergers do after one another', async () => {
  const action = fc.constantFrom(...Object.keys(ACTIONS));
  const runs = fc.array(fc.record({ action, second: fc.boolean() }), { maxLength: 12, size: 'max' });
  await fc.assert(
    fc.asyncProperty(runs, fc.boolean(), async (chosen, shared) => {
      const wiki = mergedPacks();
      const [one, two] = [wiki.open({ shared }), wiki.open({ shared })];
      for (const each of chosen) {
        await ACTIONS[each.action]?.(each.second ? two : one, wiki);
        wiki.expectAll();
      }
      rmSync(join(wiki.packs, GIT_AT_WORK), { force: true });
      await wiki.open({ shared }).mergeAll(() => true);
      wiki.expectAll();
      expect(wiki.live().length).toBeLessThan(4);
    }),
    { numRuns: 6 },
  );
});

it('a writer merges its oldest twenty packs once it has them, and no pack twice', async () => {
  const wiki = mergedPacks();
  const merger = wiki.open();
  const names: string[] = [];
  const write = async (count: number) => {
    for (let at = 0; at < count; at += 1) {
      const { name, pack } = wiki.land();
      names.push(name);
      merger.offer(name, pack);
    }
  };
  await write(19);
  expect([await merger.inPassing(), wiki.merges]).toEqual([false, []]);
  await write(26);
  expect([await merger.inPassing(), await merger.inPassing()]).toEqual([true, true]);
  expect(wiki.merges.map(({ replaced }) => replaced)).toEqual([names.slice(0, 20), names.slice(20, 40)]);
  for (const { name } of wiki.merges) expect(name).toMatch(/^[0-9a-f]{40}$/);
  // The five others, and the two of the merges, are fewer than a merge of leftovers needs.
  expect(await merger.inPassing()).toBe(false);
  await merger.mergeAll(() => true);
  await write(15);
  expect([await merger.inPassing(), wiki.live().length]).toEqual([false, 16]);
  wiki.expectAll();
});

it('a writer merges what ended processes left, if these are ten small packs, after its first write', async () => {
  const wiki = mergedPacks();
  const merger = wiki.open();
  const others: string[] = [];
  const end = async (count: number, bytes?: number) => {
    for (let at = 0; at < count; at += 1) others.push(wiki.land(bytes).name);
  };
  const lookAgain = async (writes: number) => {
    for (let at = 0; at < writes; at += 1) merger.offer('', null);
    const isMerged = await merger.inPassing();
    return isMerged;
  };
  await end(9);
  const small = [...others];
  const { name, pack } = wiki.land();
  await end(3, 300_000);
  expect(await merger.inPassing()).toBe(false);
  merger.offer(name, pack);
  expect(await merger.inPassing()).toBe(false);
  small.push(wiki.land().name);
  expect(await lookAgain(20)).toBe(false);
  expect(await lookAgain(1)).toBe(true);
  expect(wiki.merges.map(({ replaced }) => replaced.toSorted())).toEqual([small.toSorted()]);
  wiki.expectAll();
});

it('a writer leaves readers ten seconds to notice a merge before it retires the packs', async () => {
  const wiki = mergedPacks();
  let prepared = 0;
  const merger = wiki.open({
    beforeRetiring: async () => {
      prepared += 1;
    },
  });
  for (let at = 0; at < 20; at += 1) {
    const { name, pack } = wiki.land();
    merger.offer(name, pack);
  }
  await merger.inPassing();
  wiki.clock.ms += 10_000;
  await merger.inPassing();
  expect([wiki.live().length, prepared]).toEqual([21, 0]);
  wiki.clock.ms += 1;
  await merger.inPassing();
  expect([wiki.live().length, prepared]).toEqual([1, 1]);
  await merger.retireMerged();
  expect(prepared).toBe(1);
  wiki.expectAll();
});

it('packs keep their index if what must come before their retirement fails', async () => {
  const wiki = mergedPacks();
  for (let at = 0; at < 3; at += 1) wiki.land();
  const failure = new Error('not yet');
  let fails = true;
  const merger = wiki.open({
    beforeRetiring: async () => {
      if (fails) throw failure;
    },
  });
  await expect(merger.mergeAll(() => true)).rejects.toBe(failure);
  expect(wiki.live()).toHaveLength(4);
  fails = false;
  await merger.retireMerged();
  expect(wiki.live()).toEqual([wiki.merges[0]?.name]);
});

it('a merge that is stopped returns how much is left of it', async () => {
  const wiki = mergedPacks();
  for (const bytes of [100, 3_000, 50_000, 2 * MB]) wiki.land(bytes);
  const sizes = wiki.sizes();
  const asked: number[] = [];
  const stopped = await wiki.open().mergeAll((left) => asked.push(left) > 1);
  const debtBytes = sizes.reduce((sum, size) => sum + size, 0);
  expect(stopped).toEqual({ before: 4, after: 4, debtPacks: 4, debtBytes });
  const finished = await wiki.open().mergeAll((left) => asked.push(left) > 0);
  expect(finished).toEqual({ before: 4, after: 2, debtPacks: 0, debtBytes: 0 });
  expect(asked).toEqual([4, 4]);
});

it('in the end each pack is much larger than the next smaller one, so there are few', async () => {
  const size = fc.oneof(fc.nat(1_000), fc.nat(300_000), fc.nat(2 * MB));
  await fc.assert(
    fc.asyncProperty(fc.array(size, { maxLength: 12, size: 'max' }), async (bytes) => {
      const wiki = mergedPacks();
      for (const each of bytes) wiki.land(each);
      await wiki.open().mergeAll(() => true);
      wiki.expectAll();
      const left = wiki.sizes().toSorted((a, b) => a - b);
      for (const [at, larger] of left.slice(1).entries())
        expect(larger).toBeGreaterThan(Math.max(4 * (left[at] ?? 0), 256 * 1024));
    }),
    { numRuns: 6 },
  );
});

it('one merge takes forty packs and 16 MB at most, as they are in memory together', async () => {
  const many = mergedPacks();
  for (let at = 0; at < 41; at += 1) many.land();
  await many.open().mergeAll(() => true);
  expect(many.merges.map(({ replaced }) => replaced.length)).toEqual([40, 2]);
  many.expectAll();
  const large = mergedPacks();
  for (const bytes of [6, 6.5, 7, 17]) large.land(bytes * MB);
  expect(await large.open().mergeAll(() => false)).toMatchObject({ after: 4, debtPacks: 3 });
  expect(await large.open().mergeAll(() => true)).toMatchObject({ after: 3, debtPacks: 0 });
  expect(large.merges.map(({ replaced }) => replaced.length)).toEqual([2]);
  large.expectAll();
});

it('a merge passes over a damaged pack, and one that is gone; a failing disk ends it', async () => {
  const wiki = mergedPacks();
  const names: string[] = [];
  for (let at = 0; at < 4; at += 1) names.push(wiki.land().name);
  const [damaged = '', gone = ''] = names;
  const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    if (name === 'open' && path.endsWith('.pack'))
      rmSync(join(wiki.packs, `pack-${gone}.pack`), { force: true });
  });
  const path = join(wiki.packs, `pack-${damaged}.pack`);
  const bytes = readFileSync(path);
  rmSync(path);
  writeFileSync(path, bytes);
  truncateSync(path, bytes.length - 25);
  await wiki.open({ fs }).mergeAll(() => true);
  expect(wiki.merges.map(({ replaced }) => replaced.toSorted())).toEqual([names.slice(2).toSorted()]);
  expect(wiki.live()).toContain(damaged);
  wiki.land();
  for (let at = 0; at < 6; at += 1) {
    const failing = faultyFileSystem(nodeFileSystem, { error: 'EIO', at, moment: 'lasting' });
    await expect(wiki.open({ fs: failing }).mergeAll(() => true)).rejects.toMatchObject({ code: 'io_error' });
  }
});

it('a pack that leaves no room beside others is merged with none, and the others are merged', async () => {
  const wiki = mergedPacks();
  const base = Buffer.alloc(50_000, 'x');
  const whole: RawEntry = { kind: 'blob', content: base };
  const times = [1_100, 1_101].map((count) => ({ count, result: Buffer.alloc(base.length * count, 'x') }));
  const deltas = times.map(({ count, result }) => ({
    raw: { kind: 'ref_delta', base: objectId('blob', base), content: repeatingDelta(50_000, count) } as const,
    oid: objectId('blob', result),
  }));
  const huge = landRaw(wiki, '1', [{ raw: whole, oid: objectId('blob', base) }, ...deltas]);
  const says: RawEntry = { kind: 'blob', says: 95 * MB, content: Buffer.from('x') };
  const doubtful = landRaw(wiki, '2', [{ raw: says, oid: 'a'.repeat(40) }], Buffer.alloc(200_000));
  for (let at = 0; at < 2; at += 1) wiki.land(220_000 + at);
  const merger = wiki.open();
  await merger.mergeAll(() => true);
  expect(wiki.live()).toEqual(expect.arrayContaining([huge, doubtful]));
  expect(wiki.live()).toHaveLength(3);
  wiki.expectAll();
});

it('a pack is kept for the next merge in memory if it is small and all of it is there', () => {
  const small = encodePack([{ type: 'blob', content: Buffer.from('x') }]);
  const packOfBytes = (bytes: number) => ({ ...small, packBytes: Buffer.alloc(bytes) });
  expect([256 * 1024 - 1, 256 * 1024].map((bytes) => isSmall(packOfBytes(bytes)))).toEqual([true, false]);
  const [first] = small.objects;
  if (!first) throw new Error('It has an object.');
  const objects = [first, { ...first, object: null }];
  expect(isSmall({ ...small, objects })).toBe(false);
});

/** Lands a pack as no git makes it, with some bytes behind it that belong to its last entry. */
function landRaw(
  wiki: MergedPacks,
  digit: string,
  entries: readonly { raw: RawEntry; oid: string }[],
  rest: Uint8Array = Buffer.alloc(0),
): string {
  const name = digit.repeat(40);
  const pack = packOf(entries.map(({ raw }) => raw));
  const bytes = Buffer.concat([pack.subarray(0, -20), rest]);
  let offset = 12;
  const places = entries.map(({ raw, oid }, at) => {
    const end = at === entries.length - 1 ? bytes.length : offset + entryLength(raw);
    const place = { oid, offset, crc32: crc32(bytes.subarray(offset, end)) };
    offset = end;
    return place;
  });
  wiki.write(`pack-${name}.pack`, Buffer.concat([bytes, pack.subarray(-20)]));
  wiki.write(`pack-${name}.idx`, encodePackIndex(places, pack.subarray(-20)));
  return name;
}

function write(merger: PackMerger, wiki: MergedPacks): void {
  const { name, pack } = wiki.land();
  merger.offer(name, pack);
}

function goOnFor(steps: number): () => boolean {
  let left = steps;
  return () => {
    left -= 1;
    return left >= 0;
  };
}
