import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { noise } from '../../../../../labs/noise.ts';
import {
  appendingDelta,
  entryLength,
  packOf,
  type RawEntry,
  repeatingDelta,
  sealed,
} from '../../../test/git-input/bundles.ts';
import { temporaryDirectory } from '../../../test/native-git.ts';
import { type Oid, objectId } from '../../formats/oid.ts';
import { encodePackIndex } from '../../formats/packs/pack-index.ts';
import type { FileSystem } from '../files/file-system.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { openPackedEntries } from './packed-entries.ts';

const PAGE_BYTES = 2 ** 18;
const ALL = 1e9;
const NOTHING = new Uint8Array();
const NAMES = ['a', 'b', 'c'].map((digit) => digit.repeat(40));

it('packs have the same name in whatever order a directory lists them, and others if there is one more', async () => {
  const directory = packDirectory([[filler(1)], [filler(2)], [filler(3)]]);
  const listing = (change: (names: string[]) => string[]): FileSystem => ({
    ...nodeFileSystem,
    readdir: async (path) => change(await nodeFileSystem.readdir(path)),
  });
  const named = async (fs: FileSystem) => (await openPackedEntries(fs, directory)).packs;
  const sorted = await named(listing((names) => names.toSorted()));
  expect(sorted).toMatch(/^[0-9a-f]{40}$/);
  expect(await named(listing((names) => names.toSorted().reverse()))).toBe(sorted);
  const few = listing((names) => names.filter((name) => !name.includes(NAMES[2] ?? '')));
  expect(await named(few)).not.toBe(sorted);
});

it('the indexes of all packs together have a bound', async () => {
  const directory = packDirectory([[filler(1)], [filler(2)]]);
  const found = async (bytes: number) => {
    const opened = await openPackedEntries(nodeFileSystem, directory, bytes);
    return (await opened.read([oidOf(filler(1)), oidOf(filler(2))], ALL))?.map((entry) => entry !== null);
  };
  const size = 1_072 + 28;
  expect([await found(2 * size - 1), await found(2 * size)]).toEqual([
    [true, false],
    [true, true],
  ]);
});

it('a pack of 2 GB is left to other readers', async () => {
  const directory = packDirectory([[filler(1)]]);
  truncateSync(join(directory, `pack-${NAMES[0]}.pack`), 2 ** 31);
  const opened = await openPackedEntries(nodeFileSystem, directory);
  expect(await opened.read([oidOf(filler(1))], ALL)).toEqual([null]);
});

it('entries are handed on up to exactly the bytes that there is room for', async () => {
  const small = [1, 2, 3].map((number) => blob(`small ${number}`));
  const directory = packDirectory([[...small, filler(1)]]);
  const opened = await openPackedEntries(nodeFileSystem, directory);
  const length = small.reduce((sum, entry) => sum + entryLength(entry), 0);
  const count = async (room: number) => (await opened.read(small.map(oidOf), room))?.length;
  expect([await count(length - 1), await count(length)]).toEqual([2, 3]);
});

it('what lies close together is read at once, and no more than a megabyte', async () => {
  const entries: RawEntry[] = [];
  const asked: RawEntry[] = [];
  // Three that are close, gaps on both sides of the bound, then more than a megabyte of what is asked for.
  for (const [number, gap] of [0, 0, 0, 15_000, 18_000, 9_000, 400_000].entries()) {
    if (gap > 0) entries.push({ kind: 'blob', content: noise(gap), level: 0 });
    const entry = blob(`asked for ${number}`);
    entries.push(entry);
    asked.push(entry);
  }
  for (let number = 0; number < 5; number += 1) {
    const large: RawEntry = { kind: 'blob', content: noise(300_000), level: 0 };
    entries.push(large);
    asked.push(large);
  }
  const directory = packDirectory([entries]);
  const { fs, reads } = countingReads('.pack');
  const opened = await openPackedEntries(fs, directory);
  const found = (await opened.read(asked.map(oidOf), ALL)) ?? [];
  expect(found.map((entry) => (entry === null || entry === 'damaged' ? entry : entry.size))).toEqual(
    asked.map(({ content }) => content.length),
  );
  expect(reads).toEqual(runsIn(entries, asked));
});

it('an entry that nothing can read is damaged, though its checksum is right', async () => {
  const whole = blob('the base');
  const strange = { ...blob('of no type'), type: 5 };
  // Each of the others would do as its base.
  const others = Array.from({ length: 30 }, (_, number) => blob(`like ${100 + number}`));
  const content = appendingDelta(whole.content, 'y');
  const apart: RawEntry = { kind: 'offset_delta', content, distance: 7 };
  const absent: RawEntry = { kind: 'ref_delta', content, base: 'f'.repeat(40) };
  const directory = packDirectory([[whole, ...others, strange, apart, absent, filler(1)]]);
  const opened = await openPackedEntries(nodeFileSystem, directory);
  const oids = [whole, strange, apart, absent].map(oidOf);
  expect(await opened.read(oids, ALL)).toMatchObject([
    { type: 'blob' },
    'damaged',
    'damaged',
    { base: absent.base },
  ]);
  const objects = opened.objects();
  expect(await Promise.all(oids.slice(1).map((oid) => objects.read(oid)))).toEqual([null, null, null]);
});

it('a walk reads nothing that is longer or shorter than it says, or whose delta is broken', async () => {
  const base = blob('some text');
  const distance = entryLength(base);
  const broken = appendingDelta(base.content, 'x').subarray(0, -1);
  const bad: RawEntry[] = [
    { kind: 'offset_delta', content: Buffer.from([0x80]), distance },
    { kind: 'offset_delta', content: broken, distance: 0 },
    { ...blob('says less'), says: 3 },
    { ...blob('says more'), says: 30 },
  ];
  let offset = distance;
  for (const entry of bad) {
    if (entry.kind === 'offset_delta') entry.distance = offset;
    offset += entryLength(entry);
  }
  const directory = packDirectory([[base, ...bad, filler(1)]]);
  const objects = (await openPackedEntries(nodeFileSystem, directory)).objects();
  expect(await objects.read(oidOf(base))).not.toBeNull();
  for (const entry of bad) expect(await objects.read(oidOf(entry))).toBeNull();
});

it('a walk reads objects across the bounds of what it reads at once, and each part of a pack once', async () => {
  const small = [1, 2, 3].map((number) => blob(`small ${number}`));
  const before: RawEntry = { kind: 'blob', content: noise(PAGE_BYTES - 2_000), level: 0 };
  const across: RawEntry = { kind: 'blob', content: noise(5_000), level: 0 };
  const after = blob('after');
  const directory = packDirectory([[...small, before, across, after]]);
  const { fs, reads } = countingReads('.pack');
  const objects = (await openPackedEntries(fs, directory)).objects();
  for (const entry of [...small, across, after, before, ...small])
    expect(Buffer.from(entry.content).equals((await objects.read(oidOf(entry)))?.content ?? NOTHING)).toBe(
      true,
    );
  expect(reads).toEqual([PAGE_BYTES, PAGE_BYTES]);
});

it('a walk leaves large objects to other readers, and deltas that rest on too many others or make too much', async () => {
  const large: RawEntry = { kind: 'blob', content: noise(2 ** 20 + 1), level: 0 };
  const base: RawEntry = { kind: 'blob', content: Buffer.alloc(60_000, 'x') };
  const making = (times: number): RawEntry => ({
    kind: 'offset_delta',
    content: repeatingDelta(60_000, times),
    distance: 0,
  });
  const [some, many] = [making(100), making(900)];
  some.distance = entryLength(base);
  many.distance = some.distance + entryLength(some);
  const row: RawEntry[] = [blob('')];
  let distance = entryLength(row[0] as RawEntry);
  for (let depth = 1; depth <= 4_200; depth += 1) {
    const entry: RawEntry = {
      kind: 'offset_delta',
      content: appendingDelta(Buffer.alloc(depth - 1, 'x'), 'x'),
      distance,
    };
    row.push(entry);
    distance = entryLength(entry);
  }
  const directory = packDirectory([[base, some, many, ...row, large]]);
  const opened = await openPackedEntries(nodeFileSystem, directory);
  const read = (entry: RawEntry | undefined) => opened.objects().read(oidOf(entry as RawEntry));
  expect((await read(some))?.content).toHaveLength(6_000_000);
  expect([await read(many), await read(large)]).toEqual([null, null]);
  expect([(await read(row[4_000]))?.content.length, await read(row[4_200])]).toEqual([4_000, null]);
});

function blob(text: string): RawEntry {
  return { kind: 'blob', content: Buffer.from(text) };
}

/** Makes a pack so large that it is read in this way. */
function filler(number: number): RawEntry {
  return { kind: 'blob', content: Buffer.alloc(300_000, `${number}`), level: 0 };
}

/** The names of the objects are their places: nothing here compares them with the contents. */
const oids = new Map<RawEntry | string, Oid>();

function oidOf(entry: RawEntry): Oid {
  const key = entry.kind === 'blob' ? entry.content.toString() : entry;
  const oid = oids.get(key) ?? objectId('blob', Buffer.from(`entry ${oids.size}`));
  oids.set(key, oid);
  return oid;
}

/** A directory with a pack of each of these, and their indexes. */
function packDirectory(packs: readonly (readonly (RawEntry & { type?: number })[])[]): string {
  const directory = join(temporaryDirectory(), 'pack');
  mkdirSync(directory);
  for (const [number, entries] of packs.entries()) {
    const bytes = packOf(entries);
    const places: { oid: Oid; offset: number; crc32: number }[] = [];
    let offset = 12;
    for (const entry of entries) {
      const end = offset + entryLength(entry);
      if (entry.type !== undefined) bytes[offset] = ((bytes[offset] ?? 0) & 0x8f) | (entry.type << 4);
      places.push({ oid: oidOf(entry), offset, crc32: crc32(bytes.subarray(offset, end)) });
      offset = end;
    }
    const pack = sealed(bytes.subarray(0, -20));
    writeFileSync(join(directory, `pack-${NAMES[number]}.pack`), pack);
    const index = encodePackIndex(places, pack.subarray(-20));
    writeFileSync(join(directory, `pack-${NAMES[number]}.idx`), index);
  }
  return directory;
}

/** Notes the number of bytes of each read of files with this ending. */
function countingReads(ending: string) {
  const reads: number[] = [];
  const fs: FileSystem = {
    ...nodeFileSystem,
    async open(path, flags, mode) {
      const file = await nodeFileSystem.open(path, flags, mode);
      if (!path.endsWith(ending)) return file;
      return {
        read(buffer, offset, length, position) {
          reads.push(length);
          return file.read(buffer, offset, length, position);
        },
        write: (data) => file.write(data),
        sync: () => file.sync(),
        size: () => file.size(),
        close: () => file.close(),
      };
    },
  };
  return { fs, reads };
}

/** The bytes that one read after the other takes if gaps of 16 kB are bridged. */
function runsIn(entries: readonly RawEntry[], asked: readonly RawEntry[]): number[] {
  const runs: { from: number; end: number }[] = [];
  let offset = 0;
  for (const entry of entries) {
    const end = offset + entryLength(entry);
    const run = runs.at(-1);
    if (asked.includes(entry)) {
      if (run && offset - run.end <= 16_384 && end - run.from <= 1_000_000) run.end = end;
      else runs.push({ from: offset, end });
    }
    offset = end;
  }
  return runs.map(({ from, end }) => end - from);
}
