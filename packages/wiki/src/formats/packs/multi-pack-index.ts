import { createHash } from 'node:crypto';
import { CHECKSUM_BYTES, OID_BYTES } from '../oid.ts';
import { FAN_OUT_AT, OIDS_AT } from './pack-index.ts';

/** A part of a file: from one position up to another. */
export interface Region {
  from: number;
  to: number;
}

/** The chunks that locate objects: the names of packs, the oids, and for each oid a pack and an offset. */
export const CHUNKS = ['PNAM', 'OIDL', 'OOFF'] as const;
/** The size of one entry: the number of the pack and the object's offset in it. */
export const OFFSET_BYTES = 8;
const FIXED_BYTES = 12;
const CHUNK_ENTRY_BYTES = 12;
const MAX_CHUNKS = 8;
/** The number of bytes that `parseHeader` reads. */
export const HEADER_BYTES = FIXED_BYTES + CHUNK_ENTRY_BYTES * (MAX_CHUNKS + 1);

/**
 * The positions of the chunks in a multi-pack-index of version 1, or null if the bytes are not the beginning
 * of one.
 */
export function parseHeader(bytes: Uint8Array): Partial<Record<string, Region>> | null {
  if (bytes.length < FIXED_BYTES + CHUNK_ENTRY_BYTES) return null;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunkCount = view.readUInt8(6);
  const isKnown = view.toString('latin1', 0, 4) === 'MIDX' && view.readUInt16BE(4) === VERSION_1_SHA_1;
  if (!isKnown || view.length < FIXED_BYTES + CHUNK_ENTRY_BYTES * (chunkCount + 1)) return null;
  const at = (chunk: number) => FIXED_BYTES + CHUNK_ENTRY_BYTES * chunk;
  const position = (chunk: number) => Number(view.readBigUInt64BE(at(chunk) + 4));
  const chunks = Array.from({ length: chunkCount }, (_, chunk) => {
    const region = { from: position(chunk), to: position(chunk + 1) };
    return [view.toString('latin1', at(chunk), at(chunk) + 4), region] as const;
  });
  return Object.fromEntries(chunks);
}

/** A pack's `.idx` of version 2 whose pack is below 2 GB. */
export interface SourceIndex {
  /** `pack-<name>`. */
  pack: string;
  bytes: Buffer;
}

/**
 * A multi-pack-index over the packs of these indexes, as `git multi-pack-index write` makes it. For an object
 * in several packs it names the first of them. It is built in one buffer of the size of these indexes. Calls
 * `pause` 256 times, so that other work gets the thread.
 */
export async function encodeMultiPackIndex(
  indexes: readonly SourceIndex[],
  pause: () => Promise<unknown> | undefined,
): Promise<Uint8Array> {
  const packs = indexes.map(({ pack }) => `${pack}.idx`).sort();
  const numbers = indexes.map(({ pack }) => packs.indexOf(`${pack}.idx`));
  const names = Buffer.from(packs.map((name) => `${name}\0`).join(''));
  const fanOutAt = FILE_HEADER_BYTES + Math.ceil(names.length / 4) * 4;
  const oidsAt = fanOutAt + FAN_OUT_BYTES;
  const mostObjects = indexes.reduce((sum, { bytes }) => sum + objectsUpTo(bytes, 255), 0);
  const roomForOffsetsAt = oidsAt + mostObjects * OID_BYTES;
  const bytes = Buffer.alloc(roomForOffsetsAt + mostObjects * OFFSET_BYTES + CHECKSUM_BYTES);
  bytes.set(names, FILE_HEADER_BYTES);
  let count = 0;
  for (let firstByte = 0; firstByte < 256; firstByte += 1) {
    for (const { oid, source, offset } of distinctEntries(indexes, firstByte)) {
      bytes.set(oid, oidsAt + count * OID_BYTES);
      const at = roomForOffsetsAt + count * OFFSET_BYTES;
      bytes.writeUInt32BE(numbers[source] ?? 0, at);
      bytes.set(offset, at + 4);
      count += 1;
    }
    bytes.writeUInt32BE(count, fanOutAt + firstByte * 4);
    await pause();
  }
  const offsetsAt = oidsAt + count * OID_BYTES;
  const end = offsetsAt + count * OFFSET_BYTES;
  // Objects in several packs took less room than was reserved.
  bytes.copyWithin(offsetsAt, roomForOffsetsAt, roomForOffsetsAt + count * OFFSET_BYTES);
  writeHeader(bytes, packs.length, [FILE_HEADER_BYTES, fanOutAt, oidsAt, offsetsAt, end]);
  bytes.set(createHash('sha1').update(bytes.subarray(0, end)).digest(), end);
  return bytes.subarray(0, end + CHECKSUM_BYTES);
}

const WRITTEN_CHUNKS = ['PNAM', 'OIDF', 'OIDL', 'OOFF'] as const;
const FILE_HEADER_BYTES = FIXED_BYTES + CHUNK_ENTRY_BYTES * (WRITTEN_CHUNKS.length + 1);
const FAN_OUT_BYTES = 256 * 4;
const VERSION_1_SHA_1 = 0x0101;

/** The number of objects in an `.idx` whose oids begin with this byte or a lower one. */
function objectsUpTo(index: Buffer, firstByte: number): number {
  return firstByte < 0 ? 0 : index.readUInt32BE(FAN_OUT_AT + firstByte * 4);
}

interface Entry {
  oid: Buffer;
  source: number;
  offset: Buffer;
}

/** The objects whose oids begin with this byte, each once, by their oids. */
function distinctEntries(indexes: readonly SourceIndex[], firstByte: number): Entry[] {
  const entries = indexes.flatMap(({ bytes }, source) => entriesOf(bytes, source, firstByte));
  entries.sort((a, b) => a.oid.compare(b.oid) || a.source - b.source);
  return entries.filter(({ oid }, at) => !entries[at - 1]?.oid.equals(oid));
}

/** The objects of an `.idx` whose oids begin with this byte. */
function entriesOf(index: Buffer, source: number, firstByte: number): Entry[] {
  const from = objectsUpTo(index, firstByte - 1);
  const offsetsAt = OIDS_AT + objectsUpTo(index, 255) * (OID_BYTES + 4);
  return Array.from({ length: objectsUpTo(index, firstByte) - from }, (_, at) => {
    const oidAt = OIDS_AT + (from + at) * OID_BYTES;
    const offsetAt = offsetsAt + (from + at) * 4;
    return {
      oid: index.subarray(oidAt, oidAt + OID_BYTES),
      source,
      offset: index.subarray(offsetAt, offsetAt + 4),
    };
  });
}

/** `positions` are those of the chunks, and of the end of the last. */
function writeHeader(bytes: Buffer, packCount: number, positions: readonly number[]): void {
  bytes.write('MIDX', 'latin1');
  bytes.writeUInt16BE(VERSION_1_SHA_1, 4);
  bytes.writeUInt8(WRITTEN_CHUNKS.length, 6);
  bytes.writeUInt32BE(packCount, 8);
  for (const [chunk, position] of positions.entries()) {
    const at = FIXED_BYTES + CHUNK_ENTRY_BYTES * chunk;
    bytes.write(WRITTEN_CHUNKS[chunk] ?? '\0\0\0\0', at, 'latin1');
    bytes.writeBigUInt64BE(BigInt(position), at + 4);
  }
}
