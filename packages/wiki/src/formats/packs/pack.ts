import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { deflate } from '../deflate.ts';
import { CHECKSUM_BYTES, type GitObject, type ObjectType, type Oid, objectId } from '../oid.ts';
import { entryHeader } from './pack-entry.ts';
import { encodePackIndex, type IndexEntry } from './pack-index.ts';
import { MAX_STORED_BYTES, storedBlock } from './stored-block.ts';

export interface EncodedPack {
  packBytes: Uint8Array;
  indexBytes: Uint8Array;
  /** The oid of each given object, in the given order. */
  oids: Oid[];
  /** The objects in the order of the pack, each once. */
  objects: PlacedObject[];
}

/** An object and the offset of its entry in a pack. The object is null if it is not kept in memory. */
export interface PlacedObject {
  oid: Oid;
  offset: number;
  object: GitObject | null;
}

/** The same for an object that is in memory. */
export interface PackedObject extends PlacedObject {
  object: GitObject;
}

/**
 * A pack (version 2) of these objects, each stored whole, and its index. An object given twice is written
 * once. Commits come first and blobs last, so that the beginning of a pack holds the objects that are read
 * first. With `haste` a small pack is not compressed; a merge does that later.
 */
export function encodePack(objects: readonly GitObject[], { haste = false } = {}): EncodedPack {
  const oids = objects.map((object) => objectId(object.type, object.content));
  const distinct = new Map(objects.map((object, position) => [oids[position] as Oid, object]));
  const ordered = [...distinct].sort(
    ([, a], [, b]) => PACK_ORDER.indexOf(a.type) - PACK_ORDER.indexOf(b.type),
  );

  const isSmall = ordered.reduce((sum, [, { content }]) => sum + content.length, 0) <= MAX_STORED_IN_ALL;
  const parts: Uint8Array[] = [packHeader(ordered.length)];
  const entries: IndexEntry[] = [];
  const packed: PackedObject[] = [];
  let offset = PACK_HEADER_BYTES;
  for (const [oid, object] of ordered) {
    const { type, content } = object;
    const header = entryHeader(type, content.length);
    const isStored = haste && isSmall && content.length <= MAX_STORED_BYTES;
    const compressed = isStored ? storedBlock(content) : deflate(content, LEVELS[type]);
    parts.push(header, compressed);
    entries.push({ oid, offset, crc32: crc32(compressed, crc32(header)) });
    packed.push({ oid, offset, object });
    offset += header.length + compressed.length;
  }
  const body = Buffer.concat(parts);
  const checksum = createHash('sha1').update(body).digest();
  return {
    packBytes: Buffer.concat([body, checksum]),
    indexBytes: encodePackIndex(entries, checksum),
    oids,
    objects: packed,
  };
}

export const PACK_ORDER: readonly ObjectType[] = ['commit', 'tag', 'tree', 'blob'];
/** The size of a pack's header: `PACK`, the version and the number of objects. */
export const PACK_HEADER_BYTES = 12;

/** A writer's merge takes in packs of up to twice that size. */
const MAX_STORED_IN_ALL = 2 ** 17;

/**
 * The compression level by object type. A tree consists mostly of oids, which hardly compress at any level.
 */
export const LEVELS: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 1, tag: 1, blob: 6 };

export function packHeader(objectCount: number): Uint8Array {
  const header = Buffer.alloc(PACK_HEADER_BYTES);
  header.write(SIGNATURE, 'latin1');
  header.writeUInt32BE(VERSION, 4);
  header.writeUInt32BE(objectCount, 8);
  return header;
}

/**
 * The number of objects that a pack declares; `unknown version` if it is not of version 2; null if it is no
 * pack.
 */
export function parsePackHeader(bytes: Uint8Array): number | 'unknown version' | null {
  if (bytes.length < PACK_HEADER_BYTES + CHECKSUM_BYTES) return null;
  const header = Buffer.from(bytes.buffer, bytes.byteOffset, PACK_HEADER_BYTES);
  if (header.toString('latin1', 0, SIGNATURE.length) !== SIGNATURE) return null;
  return header.readUInt32BE(4) === VERSION ? header.readUInt32BE(8) : 'unknown version';
}

const SIGNATURE = 'PACK';
const VERSION = 2;

/** The bytes of a pack and of its index. */
export interface PackBytes {
  packBytes: Uint8Array;
  indexBytes: Uint8Array;
}
