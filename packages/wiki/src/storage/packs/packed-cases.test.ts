import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { noise } from '../../../../../labs/noise.ts';
import { appendingDelta, entryLength, packOf, type RawEntry } from '../../../test/git-input/bundles.ts';
import { temporaryDirectory } from '../../../test/native-git.ts';
import { fileSystemError, observedFileSystem } from '../../../test/storage/observed-file-system.ts';
import { type Oid, objectId } from '../../formats/oid.ts';
import { encodePackIndex } from '../../formats/packs/pack-index.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import type { PackedEntry } from '../storage.ts';
import { openPackedEntries } from './packed-entries.ts';

const specs = fc.array(
  fc.record({
    form: fc.constantFrom('whole', 'by place', 'by name'),
    /** Chooses its base among the objects before it. */
    pick: fc.nat(),
    /** So many kilobytes that belong to no small object come before it. */
    gap: fc.constantFrom(0, 0, 10, 20, 400),
    isDamaged: fc.nat(7).map((chance) => chance === 0),
  }),
  { minLength: 2, maxLength: 12, size: 'max' },
);

interface Item {
  oid: Oid;
  raw: RawEntry;
  content: Buffer;
  base: Item | null;
  isDamaged: boolean;
  length: number;
}

it('a walk reads each object that is whole down to its last base, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(specs, async (chosen) => {
      const { directory, items } = packDirectoryOf(chosen);
      const opened = await openPackedEntries(nodeFileSystem, directory);
      const isWhole = ({ isDamaged, base }: Item): boolean => !isDamaged && (base === null || isWhole(base));
      const expected = items.map((item) => (isWhole(item) ? item.oid : null));
      const objects = opened.objects();
      // The second time most of it is in memory.
      for (let round = 0; round < 2; round += 1) {
        const read = await Promise.all(items.map(({ oid }) => objects.read(oid)));
        expect(read.map((object) => object && objectId(object.type, object.content))).toEqual(expected);
      }
      expect(await objects.read('f'.repeat(40))).toBeNull();
    }),
    { numRuns: 25 },
  );
});

it('entries are handed on as they are stored, as many as there is room for, and damage is named', async () => {
  const cases = fc.record({
    chosen: specs,
    room: fc.oneof(fc.constant(1e9), fc.nat(1_000), fc.nat(1_000_000)),
    turn: fc.nat(),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ chosen, room, turn }) => {
      const { directory, items } = packDirectoryOf(chosen);
      const opened = await openPackedEntries(nodeFileSystem, directory);
      const at = turn % items.length;
      const asked = [...items.slice(at), ...items.slice(0, at)];
      const entries = (await opened.read([...asked.map(({ oid }) => oid), 'f'.repeat(40)], room)) ?? [];
      let bytes = 0;
      const fitting = asked.findIndex(({ length }, place) => {
        bytes += length;
        return bytes > room && place > 0;
      });
      expect(entries).toHaveLength(fitting === -1 ? items.length + 1 : fitting);
      for (const [place, { isDamaged, raw, base }] of asked.slice(0, entries.length).entries()) {
        const entry = entries[place];
        if (isDamaged) {
          expect(entry).toBe('damaged');
          continue;
        }
        expect(entry).toMatchObject({
          type: base ? null : 'blob',
          base: base?.oid ?? null,
          size: raw.content.length,
        });
        const { compressed } = entry as PackedEntry;
        expect(inflateSync(compressed).equals(raw.content)).toBe(true);
      }
      if (fitting === -1) expect(entries.at(-1)).toBeNull();
      rmSync(join(directory, `pack-${NAME}.pack`));
      expect(
        await opened.read(
          items.map(({ oid }) => oid),
          room,
        ),
      ).toBeNull();
    }),
    { numRuns: 25 },
  );
});

it('small packs, those without room for their index, and damaged indexes are left to other readers', async () => {
  const chosen = [{ form: 'whole', pick: 0, gap: 400, isDamaged: false }] as const;
  const { directory, items, index } = packDirectoryOf(chosen);
  const [item] = items;
  const found = async (mostIndexBytes?: number) => {
    const opened = await openPackedEntries(nodeFileSystem, directory, mostIndexBytes);
    return (await opened.objects().read(item?.oid ?? '')) !== null;
  };
  expect([await found(), await found(index.length), await found(index.length - 1)]).toEqual([
    true,
    true,
    false,
  ]);
  writeFileSync(join(directory, `pack-${NAME}.idx`), index.subarray(1));
  expect(await found()).toBe(false);
  const small = packDirectoryOf([{ ...chosen[0], gap: 0 }]);
  const opened = await openPackedEntries(nodeFileSystem, small.directory);
  expect(await opened.read([small.items[0]?.oid ?? ''], 1e9)).toEqual([null]);
});

it('a pack that is gone holds nothing any more, and a disk that fails is reported', async () => {
  const { directory, items } = packDirectoryOf([{ form: 'whole', pick: 0, gap: 400, isDamaged: false }]);
  const oid = items[0]?.oid ?? '';
  const failing = (number: number, code: string, ending: string) =>
    observedFileSystem(nodeFileSystem, ({ name, path }) => {
      if (name === 'open' && path.endsWith(ending)) throw fileSystemError(number, code);
    });
  for (const [number, code] of [
    [2, 'ENOENT'],
    [116, 'ESTALE'],
  ] as const) {
    const opened = await openPackedEntries(failing(number, code, '.pack'), directory);
    expect([await opened.objects().read(oid), await opened.read([oid], 1e9)]).toEqual([null, null]);
    const without = await openPackedEntries(failing(number, code, '.idx'), directory);
    expect(await without.read([oid], 1e9)).toEqual([null]);
  }
  const opened = await openPackedEntries(failing(5, 'EIO', '.pack'), directory);
  await expect(opened.objects().read(oid)).rejects.toMatchObject({ code: 'io_error' });
  await expect(opened.read([oid], 1e9)).rejects.toMatchObject({ code: 'io_error' });
  await expect(openPackedEntries(failing(5, 'EIO', '.idx'), directory)).rejects.toMatchObject({
    code: 'io_error',
  });
});

const NAME = 'ab'.repeat(20);

/** A directory of one pack of these objects. */
function packDirectoryOf(chosen: readonly { form: string; pick: number; gap: number; isDamaged: boolean }[]) {
  const items: Item[] = [];
  const raws: RawEntry[] = [];
  const places: { oid: Oid; offset: number; end: number }[] = [];
  let offset = 12;
  const add = (oid: Oid, raw: RawEntry) => {
    raws.push(raw);
    places.push({ oid, offset, end: offset + entryLength(raw) });
    offset += entryLength(raw);
  };
  const placeOf = (oid: Oid) => places.find((place) => place.oid === oid)?.offset ?? 0;
  for (const [at, { form, pick, gap, isDamaged }] of chosen.entries()) {
    const filling = Buffer.concat([noise(20), Buffer.alloc(gap * 1_000)]);
    if (gap > 0) add(blobId(filling), { kind: 'blob', content: filling, level: 0 });
    const base = form === 'whole' ? null : (items[pick % Math.max(1, at)] ?? null);
    const own = Buffer.from(`${at}: ${noise(9).toString('hex')}\n`);
    const content = base ? Buffer.concat([base.content, own]) : own;
    const raw = rawOf(form, { content, own, base, distance: offset - placeOf(base?.oid ?? '') });
    const oid = blobId(content);
    add(oid, raw);
    items.push({ oid, raw, content, base, isDamaged, length: entryLength(raw) });
  }
  const bytes = packOf(raws);
  const damaged = items.filter(({ isDamaged }) => isDamaged).map(({ oid }) => oid);
  // Some are damaged in a way that only the checksum shows.
  const hasOtherChecksum = (oid: Oid) => damaged.indexOf(oid) % 2 === 1;
  const sound = places.map(({ oid, offset: from, end }) => {
    const checksum = crc32(bytes.subarray(from, end));
    return { oid, offset: from, crc32: hasOtherChecksum(oid) ? (checksum ^ 1) >>> 0 : checksum };
  });
  const index = Buffer.from(encodePackIndex(sound, bytes.subarray(-20)));
  for (const { oid, isDamaged, length } of items) {
    const last = placeOf(oid) + length - 1;
    if (isDamaged && !hasOtherChecksum(oid)) bytes.writeUInt8(bytes.readUInt8(last) ^ 1, last);
  }
  const directory = join(temporaryDirectory(), 'pack');
  mkdirSync(directory);
  // Packs that are small are not read here.
  const tail = chosen.some(({ gap }) => gap === 400) || chosen.length === 1 ? bytes : withTail(bytes);
  writeFileSync(join(directory, `pack-${NAME}.pack`), tail);
  const ending =
    tail === bytes
      ? index
      : Buffer.from(encodePackIndex([...sound, tailPlace(bytes, tail)], tail.subarray(-20)));
  writeFileSync(join(directory, `pack-${NAME}.idx`), ending);
  return { directory, items, index: ending };
}

function rawOf(
  form: string,
  { content, own, base, distance }: Pick<Item, 'content' | 'base'> & { own: Buffer; distance: number },
): RawEntry {
  if (base === null) return { kind: 'blob', content };
  const delta = appendingDelta(base.content, own);
  return form === 'by place'
    ? { kind: 'offset_delta', content: delta, distance }
    : { kind: 'ref_delta', content: delta, base: base.oid };
}

/** Makes a pack large by one object more. */
function withTail(bytes: Buffer): Buffer {
  const tail = packOf([{ kind: 'blob', content: Buffer.alloc(400_000, 't'), level: 0 }]);
  return Buffer.concat([bytes.subarray(0, -20), tail.subarray(12, -20), tail.subarray(-20)]);
}

function tailPlace(bytes: Buffer, whole: Buffer) {
  const offset = bytes.length - 20;
  return { oid: blobId(Buffer.alloc(400_000, 't')), offset, crc32: crc32(whole.subarray(offset, -20)) };
}

function blobId(content: Uint8Array): Oid {
  return objectId('blob', content);
}
