import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { CHECKSUM_BYTES, type Oid } from '../../formats/oid.ts';
import { parseEntryHeader } from '../../formats/packs/pack-entry.ts';
import { SMALL_PACK_BYTES } from '../../formats/packs/small-pack.ts';
import { yielding } from '../../scheduling/yielding.ts';
import type { FileSystem } from '../files/file-system.ts';
import { isGone, unlessGone } from '../files/unless-gone.ts';
import { FileTooLarge, readWholeFile } from '../files/whole-file.ts';
import type { PackedEntries, PackedEntry } from '../storage.ts';
import { fileSystemFailure } from '../storage-error.ts';
import { listPacks } from './pack-listing.ts';
import { PackMap } from './pack-map.ts';
import { type MappedPack, PackedObjects } from './packed-objects.ts';

/** Opens the packs that are there now. Throws StorageError. */
export async function openPackedEntries(
  fs: FileSystem,
  directory: string,
  mostIndexBytes = MAX_INDEX_BYTES,
): Promise<PackedEntries> {
  const packs: MappedPack[] = [];
  let left = mostIndexBytes;
  const listed = await listPacks(fs, directory);
  for (const { name, size } of listed.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    if (size <= SMALL_PACK_BYTES || size > MAX_PACK_BYTES) continue;
    const path = join(directory, `pack-${name}`);
    try {
      const index = await unlessGone(() => readWholeFile(fs, `${path}.idx`, left));
      left -= index?.length ?? 0;
      const map = index && PackMap.parse(index, size - CHECKSUM_BYTES);
      if (map) packs.push({ path: `${path}.pack`, map });
    } catch (error) {
      // Its objects are read one by one then.
      if (error instanceof FileTooLarge) continue;
      throw fileSystemFailure(error, 'Reading the index of a pack', `${path}.idx`);
    }
  }
  const checksums = createHash('sha1');
  for (const { map } of packs) checksums.update(map.packChecksum);
  return {
    packs: checksums.digest('hex'),
    read: (oids, mostBytes) => readEntries(fs, packs, oids, mostBytes),
    objects: () => new PackedObjects(fs, packs),
  };
}

interface Place {
  /** The place of the object in the call. */
  asked: number;
  position: number;
  offset: number;
  end: number;
}

async function readEntries(
  fs: FileSystem,
  packs: readonly MappedPack[],
  oids: readonly Oid[],
  mostBytes: number,
): Promise<Entry[] | null> {
  const entries: Entry[] = [];
  const placesOf = new Map<MappedPack, Place[]>();
  let bytes = 0;
  for (const oid of oids) {
    const found = placeOf(packs, oid, entries.length);
    // A damaged index may name a place behind the pack.
    if (found !== null && found.place.end > found.place.offset) {
      const { pack, place } = found;
      bytes += place.end - place.offset;
      if (bytes > mostBytes && entries.length > 0) break;
      const places = placesOf.get(pack) ?? [];
      if (places.length === 0) placesOf.set(pack, places);
      places.push(place);
    }
    entries.push(found === null ? null : 'damaged');
  }
  for (const [pack, places] of placesOf) if (!(await readFrom(fs, pack, places, entries))) return null;
  return entries;
}

type Entry = PackedEntry | 'damaged' | null;

/** The first pack that has the object, and where. */
function placeOf(
  packs: readonly MappedPack[],
  oid: Oid,
  asked: number,
): { pack: MappedPack; place: Place } | null {
  for (const pack of packs) {
    const position = pack.map.find(oid);
    if (position !== null) return { pack, place: { asked, position, ...pack.map.rangeOf(position) } };
  }
  return null;
}

/** Fills in the entries that one pack has; false if the pack is gone. */
async function readFrom(
  fs: FileSystem,
  { path, map }: MappedPack,
  places: Place[],
  entries: Entry[],
): Promise<boolean> {
  places.sort((one, other) => one.offset - other.offset);
  // What is kept has no room between the entries, and the bytes of a run are used again.
  const kept = Buffer.allocUnsafeSlow(places.reduce((sum, { offset, end }) => sum + end - offset, 0));
  let keptBytes = 0;
  let scratch: Uint8Array = NOTHING;
  const pause = yielding();
  try {
    const file = await fs.open(path, 'r');
    try {
      for (const run of runsOf(places)) {
        const [from, to] = [run[0]?.offset ?? 0, run.at(-1)?.end ?? 0];
        if (scratch.length < to - from) scratch = Buffer.allocUnsafeSlow(to - from);
        const length = await file.read(scratch, 0, to - from, from);
        if (length < to - from) break;
        for (const { asked, position, offset, end } of run) {
          const bytes = kept.subarray(keptBytes, keptBytes + end - offset);
          bytes.set(scratch.subarray(offset - from, end - from));
          const entry = entryIn(bytes, offset, map);
          if (entry === null || map.crc32At(position) !== crc32(bytes)) continue;
          entries[asked] = entry;
          keptBytes += bytes.length;
        }
        await pause();
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    // Merged into another one meanwhile.
    if (isGone(error)) return false;
    throw fileSystemFailure(error, 'Reading a pack', path);
  }
  return true;
}

/** Places that lie close enough together to be read at once. */
function* runsOf(places: readonly Place[]): Generator<Place[]> {
  let run: Place[] = [];
  for (const place of places) {
    const [from, end] = [run[0]?.offset ?? place.offset, run.at(-1)?.end ?? place.offset];
    if (place.offset - end > MAX_GAP_BYTES || place.end - from > MAX_RUN_BYTES) {
      if (run.length > 0) yield run;
      run = [];
    }
    run.push(place);
  }
  if (run.length > 0) yield run;
}

function entryIn(bytes: Uint8Array, offset: number, map: PackMap): PackedEntry | null {
  const header = parseEntryHeader(bytes);
  if (typeof header === 'string') return null;
  const entry = header.entryOf(NOTHING);
  const found = { size: header.size, compressed: bytes.subarray(header.length) };
  if (entry.kind === 'whole') return { ...found, type: entry.type, base: null };
  const base = entry.kind === 'reference_delta' ? entry.baseOid : oidAt(map, offset - entry.baseDistance);
  return base === null ? null : { ...found, type: null, base };
}

function oidAt(map: PackMap, offset: number): Oid | null {
  const position = map.positionAtOffset(offset);
  return position === null ? null : map.oidAt(position);
}

const NOTHING = new Uint8Array();
/** Larger ones have offsets that are stored in another way. */
const MAX_PACK_BYTES = 2 ** 31 - 1;
/** The indexes of two million objects. */
const MAX_INDEX_BYTES = 64_000_000;
const MAX_GAP_BYTES = 16_384;
const MAX_RUN_BYTES = 1_000_000;
