import { crc32 } from 'node:zlib';
import { CHECKSUM_BYTES, type ObjectType, type Oid, objectId } from '../../../formats/oid.ts';
import { applyDelta, DeltaError, deltaSizes } from '../../../formats/packs/delta.ts';
import type { EncodedPack } from '../../../formats/packs/pack.ts';
import { entryHeader, parseEntryHeader, parsePackEntry } from '../../../formats/packs/pack-entry.ts';
import { type IndexEntry, parsePackIndex } from '../../../formats/packs/pack-index.ts';
import { OBJECT_BOUNDS } from '../../objects/object-bounds.ts';
import { StorageError } from '../../storage-error.ts';

/** One object of a pack that is to be copied into another pack. */
export interface SourceEntry {
  oid: Oid;
  type: ObjectType;
  content: Uint8Array;
  /** The bytes after the entry's header: the content or the delta, compressed. */
  compressed: Uint8Array;
  /** The base of the delta and its length before compression; null if the object is stored whole. */
  delta: { base: Oid; length: number } | null;
}

/** The number of bytes of objects and deltas that one merge may still unpack. */
export interface MergeRoom {
  bytes: number;
}

export function mergeRoom(): MergeRoom {
  return { bytes: OBJECT_BOUNDS.mergedBytes };
}

/**
 * Reads a whole pack by its index and verifies every object. Throws StorageError `corrupt_pack` if an object
 * does not match its oid or if a delta's base is not in the pack, and `object_too_large` if the pack is sound
 * as far as it was read but there is no room for its objects.
 */
export function readPackSource(
  path: string,
  pack: Uint8Array,
  index: Uint8Array,
  room = mergeRoom(),
): SourceEntry[] {
  const count = (more: number) => take(room, more, path);
  const places = indexEntries(path, index).sort((a, b) => a.offset - b.offset);
  const offsets = new Map(places.map(({ oid, offset }) => [offset, oid]));
  const raw = new Map(
    places.map((place, at) => {
      const { oid, offset } = place;
      const bytes = pack.subarray(offset, places[at + 1]?.offset ?? pack.length - CHECKSUM_BYTES);
      // Compressed bytes are copied, so the bytes themselves must be right, not only the content they inflate
      // to.
      if (crc32(bytes) !== place.crc32) throw corrupt(path, `object ${oid} is damaged`);
      return [oid, rawEntry(path, bytes, offset, offsets, count)] as const;
    }),
  );
  const resolved = new Map<Oid, SourceEntry>();

  /** Goes down to what is built already, then up again: a chain of deltas may be too deep for the call stack. */
  function resolve(oid: Oid): SourceEntry | null {
    const chain: { oid: Oid; entry: RawEntry }[] = [];
    let below: SourceEntry | null = null;
    for (let next: Oid | null = oid; next !== null; ) {
      below = resolved.get(next) ?? null;
      if (below !== null) break;
      const entry = raw.get(next);
      if (!entry || chain.length > OBJECT_BOUNDS.deltaDepth) {
        throw corrupt(path, `a delta rests on ${next}, which is not in it`);
      }
      chain.push({ oid: next, entry });
      next = entry.base;
    }
    for (const each of chain.reverse()) {
      below = sourceEntry(path, each.oid, each.entry, below);
      resolved.set(each.oid, below);
    }
    return below;
  }

  return places.flatMap(({ oid }) => resolve(oid) ?? []);
}

/**
 * Does the same for a pack that this process wrote and whose objects it still has. Each object is verified by
 * its oid, and its compressed form by the checksum taken when it was compressed: so nothing is inflated
 * again.
 */
export function writtenPackSource(
  path: string,
  { packBytes, indexBytes, objects }: EncodedPack,
  room = mergeRoom(),
): SourceEntry[] {
  const checksums = new Map(indexEntries(path, indexBytes).map((entry) => [entry.oid, entry.crc32]));
  return objects.map(({ oid, offset, object }, at) => {
    if (object === null) throw corrupt(path, `object ${oid} is not in memory`);
    const { type, content } = object;
    const bytes = packBytes.subarray(offset, objects[at + 1]?.offset ?? packBytes.length - CHECKSUM_BYTES);
    const isRight = crc32(bytes) === checksums.get(oid) && objectId(type, content) === oid;
    if (!isRight) throw corrupt(path, `object ${oid} is damaged`);
    take(room, content.length, path);
    const compressed = bytes.subarray(entryHeader(type, content.length).length);
    return { oid, type, content, compressed, delta: null };
  });
}

interface RawEntry {
  type: ObjectType | null;
  base: Oid | null;
  inflated: Uint8Array;
  compressed: Uint8Array;
}

/** `below` is the base of a delta. */
function sourceEntry(
  path: string,
  oid: Oid,
  { type: ownType, base, inflated, compressed }: RawEntry,
  below: SourceEntry | null,
): SourceEntry {
  const type = below?.type ?? ownType ?? 'blob';
  const content = below ? rebuilt(path, below.content, inflated) : inflated;
  if (objectId(type, content) !== oid) throw corrupt(path, `object ${oid} is damaged`);
  const delta = base === null ? null : { base, length: inflated.length };
  return { oid, type, content, compressed, delta };
}

function rawEntry(
  path: string,
  bytes: Uint8Array,
  offset: number,
  offsets: ReadonlyMap<number, Oid>,
  count: (bytes: number) => void,
): RawEntry {
  const header = parseEntryHeader(bytes);
  if (typeof header !== 'string') count(header.size);
  const parsed = parsePackEntry(bytes, OBJECT_BOUNDS.objectBytes);
  if (parsed.outcome === 'too large') throw tooMuch(path);
  if (parsed.outcome !== 'parsed') throw corrupt(path, `its entry at byte ${offset} cannot be read`);
  const { entry } = parsed;
  const compressed = bytes.subarray(parsed.headerLength, parsed.length);
  if (entry.kind === 'whole') return { type: entry.type, base: null, inflated: entry.content, compressed };
  const base = entry.kind === 'reference_delta' ? entry.baseOid : offsets.get(offset - entry.baseDistance);
  count(sizeOfResult(path, entry.delta));
  if (base === undefined) throw corrupt(path, `the delta at byte ${offset} rests on nothing`);
  return { type: null, base, inflated: entry.delta, compressed };
}

function sizeOfResult(path: string, delta: Uint8Array): number {
  try {
    return deltaSizes(delta).result;
  } catch (error) {
    if (error instanceof DeltaError) throw corrupt(path, error.message);
    throw error;
  }
}

function rebuilt(path: string, base: Uint8Array, delta: Uint8Array): Uint8Array {
  try {
    return applyDelta(base, delta);
  } catch (error) {
    if (error instanceof DeltaError) throw corrupt(path, error.message);
    throw error;
  }
}

function indexEntries(path: string, index: Uint8Array): IndexEntry[] {
  const entries = parsePackIndex(index);
  if (entries === null) throw corrupt(path, 'its index is damaged');
  return entries;
}

function take(room: MergeRoom, bytes: number, path: string): void {
  room.bytes -= bytes;
  if (!(room.bytes >= 0)) throw tooMuch(path);
}

function tooMuch(path: string): StorageError {
  const text = `The pack ${path} is not merged: it holds more than is merged at once.`;
  return new StorageError('object_too_large', text, { path });
}

function corrupt(path: string, what: string): StorageError {
  return new StorageError('corrupt_pack', `The pack ${path} is damaged: ${what}.`, { path });
}
