import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { CHECKSUM_BYTES, type Oid } from '../../formats/oid.ts';
import { parseEntryHeader } from '../../formats/packs/pack-entry.ts';
import { SMALL_PACK_BYTES } from '../../formats/packs/small-pack.ts';
import type { FileSystem } from '../files/file-system.ts';
import { isGone, unlessGone } from '../files/unless-gone.ts';
import { readWholeFile } from '../files/whole-file.ts';
import type { PackedEntries, PackedEntry } from '../storage.ts';
import { fileSystemFailure } from '../storage-error.ts';
import { listPacks } from './pack-listing.ts';
import { PackMap } from './pack-map.ts';

/** Opens the packs that are there now. Throws StorageError. */
export async function openPackedEntries(fs: FileSystem, directory: string): Promise<PackedEntries> {
  const packs: OpenPack[] = [];
  for (const { name, size } of await listPacks(fs, directory)) {
    if (size <= SMALL_PACK_BYTES || size > MAX_PACK_BYTES) continue;
    const path = join(directory, `pack-${name}`);
    try {
      const index = await unlessGone(() => readWholeFile(fs, `${path}.idx`, MAX_INDEX_BYTES));
      const map = index && PackMap.parse(index, size - CHECKSUM_BYTES);
      if (map) packs.push({ path: `${path}.pack`, map });
    } catch (error) {
      throw fileSystemFailure(error, 'Reading the index of a pack', `${path}.idx`);
    }
  }
  return { read: (oids) => readEntries(fs, packs, oids) };
}

interface OpenPack {
  path: string;
  map: PackMap;
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
  packs: readonly OpenPack[],
  oids: readonly Oid[],
): Promise<(PackedEntry | null)[]> {
  const entries: (PackedEntry | null)[] = oids.map(() => null);
  const open = new Set(oids.keys());
  for (const pack of packs) {
    const places: Place[] = [];
    for (const asked of open) {
      const position = pack.map.find(oids[asked] ?? '');
      if (position === null) continue;
      open.delete(asked);
      places.push({ asked, position, ...pack.map.rangeOf(position) });
    }
    if (places.length > 0) await readFrom(fs, pack, places, entries);
  }
  return entries;
}

async function readFrom(
  fs: FileSystem,
  { path, map }: OpenPack,
  places: Place[],
  entries: (PackedEntry | null)[],
): Promise<void> {
  places.sort((one, other) => one.offset - other.offset);
  try {
    const file = await fs.open(path, 'r');
    try {
      for (const run of runsOf(places)) {
        const [from, to] = [run[0]?.offset ?? 0, run.at(-1)?.end ?? 0];
        const bytes = new Uint8Array(to - from);
        const length = await file.read(bytes, 0, bytes.length, from);
        if (length < bytes.length) return;
        for (const { asked, position, offset, end } of run) {
          const entry = entryIn(bytes.subarray(offset - from, end - from), offset, map);
          if (entry !== null && map.crc32At(position) === entry.checksum) entries[asked] = entry;
        }
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    // Merged into another one meanwhile: the objects are read one by one.
    if (!isGone(error)) throw fileSystemFailure(error, 'Reading a pack', path);
  }
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

function entryIn(
  bytes: Uint8Array,
  offset: number,
  map: PackMap,
): (PackedEntry & { checksum: number }) | null {
  const header = parseEntryHeader(bytes);
  if (typeof header === 'string') return null;
  const entry = header.entryOf(NOTHING);
  const compressed = bytes.subarray(header.length);
  const found = { size: header.size, compressed, checksum: crc32(bytes) };
  if (entry.kind === 'whole') return { ...found, type: entry.type, base: null };
  const base =
    entry.kind === 'reference_delta' ? entry.baseOid : map.oidAtOffset(offset - entry.baseDistance);
  return base === null ? null : { ...found, type: null, base };
}

const NOTHING = new Uint8Array();
/** Larger ones have offsets that are stored in another way. */
const MAX_PACK_BYTES = 2 ** 31 - 1;
/** The index of two million objects. */
const MAX_INDEX_BYTES = 64_000_000;
const MAX_GAP_BYTES = 16_384;
const MAX_RUN_BYTES = 4_000_000;
