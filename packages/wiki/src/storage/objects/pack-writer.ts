import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { GitObject, ObjectType, Oid } from '../storage.ts';
import { deflate } from './deflate.ts';
import { objectId } from './object-id.ts';
import { encodePackIndex, type IndexEntry } from './pack-index-writer.ts';
import { MOST_STORED_BYTES, storedBlock } from './stored-block.ts';

export interface EncodedPack {
  packBytes: Uint8Array;
  indexBytes: Uint8Array;
  /** The oid of each object given, in the order given. */
  oids: Oid[];
  /** The objects in the order of the pack, each once. */
  objects: PackedObject[];
}

/** An object and where its entry begins in a pack. */
export interface PackedObject {
  oid: Oid;
  offset: number;
  object: GitObject;
}

/**
 * A pack (version 2) and its index of these objects, each whole. An object given twice is written once. Commits
 * come first and blobs last, so that the beginning of a pack holds what is read first. In `haste` a small pack is not
 * compressed, which is left to a merge.
 */
export function encodePack(objects: readonly GitObject[], { haste = false } = {}): EncodedPack {
  const oids = objects.map((object) => objectId(object.type, object.content));
  const distinct = new Map(objects.map((object, position) => [oids[position] as Oid, object]));
  const ordered = [...distinct].sort(
    ([, a], [, b]) => PACK_ORDER.indexOf(a.type) - PACK_ORDER.indexOf(b.type),
  );

  const isSmall = ordered.reduce((sum, [, { content }]) => sum + content.length, 0) <= MOST_STORED_IN_ALL;
  const parts: Uint8Array[] = [packHeader(ordered.length)];
  const entries: IndexEntry[] = [];
  const packed: PackedObject[] = [];
  let offset = PACK_HEADER_LENGTH;
  for (const [oid, object] of ordered) {
    const { type, content } = object;
    const header = entryHeader(type, content.length);
    const isStored = haste && isSmall && content.length <= MOST_STORED_BYTES;
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

const PACK_ORDER: readonly ObjectType[] = ['commit', 'tag', 'tree', 'blob'];
const KIND_NUMBERS = { commit: 1, tree: 2, blob: 3, tag: 4, offset_delta: 6 } as const;
export const PACK_HEADER_LENGTH = 12;

/** A merge in passing takes up packs of twice that size. */
const MOST_STORED_IN_ALL = 2 ** 17;

/** How hard to compress. A tree is mostly oids, of which no effort saves much. */
export const LEVELS: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 1, tag: 1, blob: 6 };

export function packHeader(objectCount: number): Uint8Array {
  const header = Buffer.alloc(PACK_HEADER_LENGTH);
  header.write('PACK', 'latin1');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(objectCount, 8);
  return header;
}

/** Type and length, 4 bits of the length in the first byte and 7 in each that follows. */
export function entryHeader(kind: ObjectType | 'offset_delta', length: number): Uint8Array {
  const bytes: number[] = [];
  let byte = (KIND_NUMBERS[kind] << 4) | (length & 0x0f);
  let rest = Math.floor(length / 16);
  while (rest > 0) {
    bytes.push(byte | 0x80);
    byte = rest & 0x7f;
    rest = Math.floor(rest / 128);
  }
  bytes.push(byte);
  return Uint8Array.from(bytes);
}
