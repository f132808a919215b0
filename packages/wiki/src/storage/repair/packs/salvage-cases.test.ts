import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { noise } from '../../../../../../labs/noise.ts';
import { appendingDelta, entryLength, packOf, type RawEntry } from '../../../../test/git-input/bundles.ts';
import { temporaryDirectory } from '../../../../test/native-git.ts';
import { type GitObject, type Oid, objectId } from '../../../formats/oid.ts';
import { encodePackIndex } from '../../../formats/packs/pack-index.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';
import type { ObjectReader } from '../../storage.ts';
import { StorageError } from '../../storage-error.ts';
import { beginSalvage, salvagePack } from './salvage-pack.ts';

/** An object of a pack, and what becomes of its entry. */
interface Spec {
  form: 'whole' | 'delta by place' | 'delta by name' | 'delta of another pack' | keyof typeof BROKEN;
  /** Chooses its base among the objects before it. */
  pick: number;
  /** Chooses its place in the pack. */
  place: number;
  isLarge: boolean;
  isDamaged: boolean;
  /** True if another pack has a copy. */
  isElsewhere: boolean;
}

const OUTSIDE = Buffer.from('A page of another pack.\n');

/** Deltas as no git writes them. */
const BROKEN = {
  'delta of itself': { distance: 0, content: appendingDelta(Buffer.from('x'), 'y') },
  'delta of what is no entry': { distance: 9_000_000, content: appendingDelta(Buffer.from('x'), 'y') },
  'nonsense in place of a delta': { base: blobId(OUTSIDE), content: Buffer.from('nonsense') },
} as const;

const FORMS = ['whole', 'delta by place', 'delta by name', 'delta of another pack'] as const;
const specs: fc.Arbitrary<Spec[]> = fc.array(
  fc.record({
    form: fc.oneof(
      { arbitrary: fc.constantFrom(...FORMS), weight: 12 },
      { arbitrary: fc.constantFrom(...(Object.keys(BROKEN) as (keyof typeof BROKEN)[])), weight: 1 },
    ),
    pick: fc.nat(),
    place: fc.nat(),
    isLarge: fc.nat(9).map((chance) => chance === 0),
    isDamaged: fc.nat(5).map((chance) => chance === 0),
    isElsewhere: fc.nat(5).map((chance) => chance === 0),
  }),
  { minLength: 1, maxLength: 12, size: 'max' },
);

const EXAMPLES: [ReturnType<typeof restingOnCopies>][] = [
  [restingOnCopies(3, 'whole')],
  [restingOnCopies(5, 'whole')],
  [restingOnCopies(2, 'nonsense in place of a delta')],
  [restingOnCopies(3, 'delta of itself')],
];

it('a repair saves exactly the objects whose entries and bases are whole, also if it is interrupted', async () => {
  const path = join(temporaryDirectory(), 'pack-x');
  const damages = fc.record({
    specs,
    index: fc.constantFrom('whole', 'missing', 'cut off'),
    keptShare: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
    callLength: fc.option(fc.integer({ min: 1, max: 6 })),
  });
  await fc.assert(
    fc.asyncProperty(damages, async ({ specs: chosen, index, keptShare, callLength }) => {
      const pack = writePack(path, chosen, keptShare, index);
      const expected = survivors(pack, index === 'whole');
      expect(await salvaged(path, pack, callLength)).toEqual(expected);
    }),
    { numRuns: 100, examples: EXAMPLES },
  );
});

/** The first object cannot be made of its entry, each of the others rests on the one before, and one has a copy. */
function restingOnCopies(count: number, first: Spec['form']) {
  const copied = first === 'whole' ? Math.floor((count - 1) / 2) : 0;
  const chosen = Array.from(
    { length: count },
    (_, at): Spec => ({
      form: at === 0 ? first : at === 1 && copied > 0 ? 'delta by name' : 'delta by place',
      pick: Math.max(0, at - 1),
      place: 0,
      isLarge: false,
      isDamaged: at === 0 && first === 'whole',
      isElsewhere: at === copied,
    }),
  );
  return { specs: chosen, index: 'whole', keptShare: 1, callLength: null } as const;
}

it('an index that names wrong objects makes nothing up', async () => {
  const path = join(temporaryDirectory(), 'pack-x');
  const base = entryOf({ kind: 'blob', content: Buffer.from('The base that is lost.\n') });
  const delta = entryOf({
    kind: 'offset_delta',
    content: appendingDelta(base.raw.content, 'A line.\n'),
    distance: entryLength(base.raw),
  });
  const bytes = packOf([base.raw, delta.raw]);
  bytes.fill(0, 12 + base.length - 4, 12 + base.length);
  writeFileSync(`${path}.pack`, bytes);
  const result = Buffer.concat([base.raw.content, Buffer.from('A line.\n')]);
  const other = Buffer.from('Another one as long up.');
  expect(other.length).toBe(base.raw.content.length);
  const objects = blobs([Buffer.from(base.raw.content), other]);
  const named = (baseOid: Oid) => {
    const entries = [
      { oid: baseOid, offset: 12, crc32: 0 },
      { oid: blobId(result), offset: 12 + base.length, crc32: 0 },
    ];
    writeFileSync(`${path}.idx`, encodePackIndex(entries, Buffer.alloc(20)));
    return salvaged(path, { elsewhere: objects }, null);
  };
  expect(await named(blobId(other))).toEqual(new Map());
  expect(await named(blobId(base.raw.content))).toEqual(new Map([[blobId(result), result.toString()]]));
});

it('for each entry a limited number of copies is tried, however many there are', async () => {
  const path = join(temporaryDirectory(), 'pack-x');
  const { specs: chosen } = restingOnCopies(120, 'nonsense in place of a delta');
  const copied = chosen.map((spec) => ({ ...spec, isElsewhere: true }));
  const { items, elsewhere } = writePack(path, copied, 1, 'whole');
  // Each place has the name of another object.
  const places = items.map(({ offset }, at) => ({ oid: items.at(at - 1)?.oid ?? '', offset, crc32: 0 }));
  writeFileSync(`${path}.idx`, encodePackIndex(places, Buffer.alloc(20)));
  let reads = 0;
  const counting: ObjectReader = {
    read: (oid) => {
      reads += 1;
      return readerOf(elsewhere).read(oid);
    },
  };
  const readsOfEach: number[] = [];
  for await (const object of salvagePack(nodeFileSystem, path, counting, beginSalvage())) {
    expect(object).toBeNull();
    readsOfEach.push(reads);
    reads = 0;
  }
  expect(readsOfEach.length).toBeGreaterThanOrEqual(items.length);
  // And the base of the first entry.
  expect(Math.max(...readsOfEach)).toBe(50 + 1);
});

it('a disk that fails while a base is read ends the repair, in place of losing the object', async () => {
  const path = join(temporaryDirectory(), 'pack-x');
  const content = appendingDelta(Buffer.from('x'), 'y');
  writeFileSync(`${path}.pack`, packOf([{ kind: 'ref_delta', content, base: blobId(Buffer.from('x')) }]));
  const failing = (code: 'io_error' | 'missing_object' | 'object_too_large'): ObjectReader => ({
    read: () => Promise.reject(new StorageError(code, code)),
  });
  const all = (elsewhere: ObjectReader) =>
    Array.fromAsync(salvagePack(nodeFileSystem, path, elsewhere, beginSalvage()));
  await expect(all(failing('io_error'))).rejects.toMatchObject({ code: 'io_error' });
  for (const code of ['missing_object', 'object_too_large'] as const)
    expect((await all(failing(code))).filter((object) => object !== null)).toEqual([]);
});

interface Entry {
  raw: RawEntry;
  length: number;
}

function entryOf(raw: RawEntry): Entry {
  return { raw, length: entryLength(raw) };
}

interface Item {
  spec: Spec;
  oid: Oid;
  content: Buffer;
  base: Item | null;
  offset: number;
  end: number;
}

interface WrittenPack {
  items: readonly Item[];
  keptBytes: number;
  elsewhere: Map<Oid, GitObject>;
}

/** Writes the damaged pack and its index. The result holds what a reader of the sound pack would know. */
function writePack(path: string, chosen: readonly Spec[], keptShare: number, index: string): WrittenPack {
  const logical: Item[] = [];
  for (const [at, spec] of chosen.entries()) {
    const isDelta = spec.form.startsWith('delta by') && at > 0;
    const base = isDelta ? (logical[spec.pick % at] ?? null) : null;
    const own = `${at}: ${spec.isLarge && !base ? noise(15_000).toString('hex') : 'A line.'}\n`;
    const before = spec.form === 'delta of another pack' ? OUTSIDE : (base?.content ?? Buffer.alloc(0));
    const content = Buffer.concat([before, Buffer.from(own)]);
    logical.push({ spec, oid: blobId(content), content, base, offset: 0, end: 0 });
  }
  const items = logical.toSorted((a, b) => a.spec.place - b.spec.place);
  const raws: RawEntry[] = [];
  let offset = 12;
  for (const [at, item] of items.entries()) {
    item.offset = offset;
    const raw = rawOf(item, items.slice(0, at));
    raws.push(raw);
    offset = item.end = offset + entryLength(raw);
  }
  const bytes = packOf(raws);
  for (const { spec, end } of items)
    if (spec.isDamaged) bytes.writeUInt8(bytes.readUInt8(end - 1) ^ 1, end - 1);
  writeFileSync(`${path}.pack`, bytes);
  const keptBytes = Math.floor(bytes.length * keptShare);
  truncateSync(`${path}.pack`, keptBytes);
  const places = items.map((item) => ({ oid: item.oid, offset: item.offset, crc32: 0 }));
  const indexBytes = encodePackIndex(places, bytes.subarray(-20));
  const cut = { whole: indexBytes.length, missing: 0, 'cut off': indexBytes.length - 45 }[index];
  writeFileSync(`${path}.idx`, indexBytes.subarray(0, cut));
  const copies = items.filter(({ spec }) => spec.isElsewhere).map(({ content }) => content);
  return { items, keptBytes, elsewhere: blobs([OUTSIDE, ...copies]) };
}

function rawOf({ spec, content, base, offset }: Item, before: readonly Item[]): RawEntry {
  const { form } = spec;
  if (form in BROKEN) {
    const broken = BROKEN[form as keyof typeof BROKEN];
    return { kind: 'base' in broken ? 'ref_delta' : 'offset_delta', ...broken };
  }
  const from = form === 'delta of another pack' ? OUTSIDE : base?.content;
  if (from === undefined) return { kind: 'blob', content };
  const delta = appendingDelta(from, content.subarray(from.length));
  if (base && form === 'delta by place' && before.includes(base))
    return { kind: 'offset_delta', content: delta, distance: offset - base.offset };
  return { kind: 'ref_delta', content: delta, base: blobId(from) };
}

/** The objects that can be read, found without any pack. */
function survivors({ items, keptBytes, elsewhere }: WrittenPack, isIndexed: boolean): Map<Oid, string> {
  const isWhole = ({ spec, end }: Item) => !spec.isDamaged && end <= keptBytes;
  const firstDamaged = items.findIndex((item) => !isWhole(item));
  const found = new Map<Oid, string>();
  const isSaved = (item: Item): boolean => {
    const { spec, base } = item;
    const at = items.indexOf(item);
    if (!isWhole(item) || spec.form in BROKEN) return false;
    if (!isIndexed && firstDamaged !== -1 && at > firstDamaged) return false;
    if (base === null || isSaved(base)) return true;
    const isByPlace = spec.form === 'delta by place' && base.offset < item.offset;
    return elsewhere.has(base.oid) && (!isByPlace || isIndexed);
  };
  for (const item of items) if (isSaved(item)) found.set(item.oid, item.content.toString());
  return found;
}

/** The objects that a repair saves in calls of so many entries; null stands for one call. */
async function salvaged(
  path: string,
  { elsewhere }: Pick<WrittenPack, 'elsewhere'>,
  callLength: number | null,
): Promise<Map<Oid, string>> {
  const known = new Map(elsewhere);
  const saved = new Map<Oid, string>();
  let progress = beginSalvage();
  for (let isFinished = false; !isFinished; progress = structuredClone(progress)) {
    const landed: [Oid, GitObject][] = [];
    let entries = 0;
    isFinished = true;
    for await (const object of salvagePack(nodeFileSystem, path, readerOf(known), progress)) {
      if (object) landed.push([object.oid, object]);
      entries += 1;
      if (entries - 1 === callLength) {
        isFinished = false;
        break;
      }
    }
    for (const [oid, object] of landed) {
      known.set(oid, object);
      saved.set(oid, Buffer.from(object.content).toString());
    }
  }
  return saved;
}

function readerOf(objects: ReadonlyMap<Oid, GitObject>): ObjectReader {
  return {
    async read(oid) {
      const object = objects.get(oid);
      if (object === undefined) throw new StorageError('missing_object', oid);
      return object;
    },
  };
}

function blobs(contents: readonly Buffer[]): Map<Oid, GitObject> {
  return new Map(contents.map((content) => [blobId(content), { type: 'blob', content }]));
}

function blobId(content: Uint8Array): Oid {
  return objectId('blob', content);
}
