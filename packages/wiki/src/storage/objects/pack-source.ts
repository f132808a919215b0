import { crc32 } from 'node:zlib';
import type { ObjectType, Oid } from '../storage.ts';
import { StorageError } from '../storage-error.ts';
import { applyDelta, DeltaError } from './delta.ts';
import { objectId } from './object-id.ts';
import { parsePackEntry } from './pack-entry.ts';
import { ENTRY_BYTES, indexedObjects, OIDS_AT, TRAILER_BYTES } from './pack-index-layout.ts';
import type { IndexEntry } from './pack-index-writer.ts';
import { type EncodedPack, entryHeader } from './pack-writer.ts';

/** One object of a pack that is to be copied into another. */
export interface SourceEntry {
  oid: Oid;
  type: ObjectType;
  content: Uint8Array;
  /** What the pack holds below the entry's header: the content or the delta, compressed. */
  compressed: Uint8Array;
  /** Where the pack holds a delta: of what object, and how long it is before compression. */
  delta: { base: Oid; length: number } | null;
}

/**
 * Reads a whole pack by its index, and proves every object. Throws StorageError `corrupt_pack` where one is not
 * what its oid says, or where a delta rests on an object that is not in the pack.
 */
export function readPackSource(path: string, pack: Uint8Array, index: Uint8Array): SourceEntry[] {
  const places = indexEntries(path, index).sort((a, b) => a.offset - b.offset);
  const offsets = new Map(places.map(({ oid, offset }) => [offset, oid]));
  const raw = new Map(
    places.map((place, at) => {
      const { oid, offset } = place;
      const bytes = pack.subarray(offset, places[at + 1]?.offset ?? pack.length - CHECKSUM_BYTES);
      // What is copied compressed must be right as it lies there, not only what it means.
      if (crc32(bytes) !== place.crc32) throw corrupt(path, `object ${oid} is damaged`);
      return [oid, rawEntry(path, bytes, offset, offsets)] as const;
    }),
  );
  const resolved = new Map<Oid, SourceEntry>();

  function resolve(oid: Oid, depth: number): SourceEntry {
    const known = resolved.get(oid);
    if (known) return known;
    const entry = raw.get(oid);
    if (!entry || depth > MOST_DEPTH) throw corrupt(path, `a delta rests on ${oid}, which is not in it`);
    const { compressed, inflated, base } = entry;
    const below = base === null ? null : resolve(base, depth + 1);
    const type = below?.type ?? entry.type ?? 'blob';
    const content = below ? rebuilt(path, below.content, inflated) : inflated;
    if (objectId(type, content) !== oid) throw corrupt(path, `object ${oid} is damaged`);
    const delta = base === null ? null : { base, length: inflated.length };
    const source: SourceEntry = { oid, type, content, compressed, delta };
    resolved.set(oid, source);
    return source;
  }

  return places.map(({ oid }) => resolve(oid, 0));
}

/**
 * The same of a pack that this process wrote and still has the objects of. Each is proved by its oid, and what was
 * made of it when it was compressed by the checksum of then: so nothing is inflated again.
 */
export function writtenPackSource(
  path: string,
  { packBytes, indexBytes, objects }: EncodedPack,
): SourceEntry[] {
  const checksums = new Map(indexEntries(path, indexBytes).map((entry) => [entry.oid, entry.crc32]));
  return objects.map(({ oid, offset, object: { type, content } }, at) => {
    const bytes = packBytes.subarray(offset, objects[at + 1]?.offset ?? packBytes.length - CHECKSUM_BYTES);
    const isRight = crc32(bytes) === checksums.get(oid) && objectId(type, content) === oid;
    if (!isRight) throw corrupt(path, `object ${oid} is damaged`);
    const compressed = bytes.subarray(entryHeader(type, content.length).length);
    return { oid, type, content, compressed, delta: null };
  });
}

const CHECKSUM_BYTES = 20;
/** More than git makes, so that only a circle is deeper. */
const MOST_DEPTH = 5000;

interface RawEntry {
  type: ObjectType | null;
  base: Oid | null;
  inflated: Uint8Array;
  compressed: Uint8Array;
}

function rawEntry(
  path: string,
  bytes: Uint8Array,
  offset: number,
  offsets: ReadonlyMap<number, Oid>,
): RawEntry {
  const parsed = parsePackEntry(bytes);
  if (parsed.outcome !== 'parsed') throw corrupt(path, `its entry at byte ${offset} cannot be read`);
  const { entry } = parsed;
  const compressed = bytes.subarray(parsed.headerLength, parsed.length);
  if (entry.kind === 'whole') return { type: entry.type, base: null, inflated: entry.content, compressed };
  const base = entry.kind === 'reference_delta' ? entry.baseOid : offsets.get(offset - entry.baseDistance);
  if (base === undefined) throw corrupt(path, `the delta at byte ${offset} rests on nothing`);
  return { type: null, base, inflated: entry.delta, compressed };
}

function rebuilt(path: string, base: Uint8Array, delta: Uint8Array): Uint8Array {
  try {
    return applyDelta(base, delta);
  } catch (error) {
    if (error instanceof DeltaError) throw corrupt(path, error.message);
    throw error;
  }
}

/** The entries of an index of version 2 whose pack is below 2 GB, as all that are merged are. */
function indexEntries(path: string, index: Uint8Array): IndexEntry[] {
  const view = Buffer.from(index.buffer, index.byteOffset, index.byteLength);
  const count = indexedObjects(view);
  if (count === null || view.length < OIDS_AT + count * ENTRY_BYTES + TRAILER_BYTES)
    throw corrupt(path, 'its index is damaged');
  return Array.from({ length: count }, (_, at) => ({
    oid: view.toString('hex', OIDS_AT + at * 20, OIDS_AT + at * 20 + 20),
    crc32: view.readUInt32BE(OIDS_AT + count * 20 + at * 4),
    offset: view.readUInt32BE(OIDS_AT + count * 24 + at * 4),
  }));
}

function corrupt(path: string, what: string): StorageError {
  return new StorageError('corrupt_pack', `The pack ${path} is damaged: ${what}.`, { path });
}
