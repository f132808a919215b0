import { createHash } from 'node:crypto';
import { CHECKSUM_BYTES, OID_BYTES, type Oid } from '../oid.ts';

/**
 * A pack's `.idx` of version 2: a header and the fan-out table; then, sorted by oid, all oids, all checksums
 * and all offsets; then the offsets from 2 GB on; then two checksums, of the pack and of the index itself.
 */
const INDEX_HEADER = Uint8Array.of(0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2);
/** For each first byte of an oid, a 4-byte count of the oids that begin with it or a lower one. */
export const FAN_OUT_AT = 8;
export const OIDS_AT = FAN_OUT_AT + 256 * 4;
/** The size of one entry: the oid, a checksum and the offset. */
export const INDEX_ENTRY_BYTES = OID_BYTES + 4 + 4;
/** The checksums of the pack and of the index. */
export const INDEX_TRAILER_BYTES = 2 * CHECKSUM_BYTES;
/** Offsets from here on are stored in a table of their own. */
export const LARGE_OFFSET = 0x8000_0000;

/** The place of one object in a pack: `crc32` covers its packed bytes, which begin at `offset`. */
export interface IndexEntry {
  oid: Oid;
  crc32: number;
  offset: number;
}

/**
 * The bytes of a pack's `.idx`, version 2, as `git index-pack` writes them. No two entries may share an oid.
 * `packChecksum` is the checksum at the end of the pack.
 */
export function encodePackIndex(entries: readonly IndexEntry[], packChecksum: Uint8Array): Uint8Array {
  const sorted = [...entries].sort((a, b) => (a.oid < b.oid ? -1 : 1));
  const large = sorted.filter((entry) => entry.offset >= LARGE_OFFSET);
  const crcsAt = OIDS_AT + sorted.length * OID_BYTES;
  const offsetsAt = crcsAt + sorted.length * 4;
  const largeOffsetsAt = offsetsAt + sorted.length * 4;
  const packChecksumAt = largeOffsetsAt + large.length * 8;
  const index = Buffer.alloc(packChecksumAt + INDEX_TRAILER_BYTES);

  index.set(INDEX_HEADER);
  writeFanOut(index.subarray(FAN_OUT_AT, OIDS_AT), sorted);
  let largeCount = 0;
  for (const [position, { oid, crc32, offset }] of sorted.entries()) {
    index.write(oid, OIDS_AT + position * OID_BYTES, 'hex');
    index.writeUInt32BE(crc32, crcsAt + position * 4);
    if (offset < LARGE_OFFSET) {
      index.writeUInt32BE(offset, offsetsAt + position * 4);
    } else {
      index.writeUInt32BE(LARGE_OFFSET + largeCount, offsetsAt + position * 4);
      index.writeBigUInt64BE(BigInt(offset), largeOffsetsAt + largeCount * 8);
      largeCount += 1;
    }
  }
  index.set(packChecksum, packChecksumAt);
  const checksum = createHash('sha1').update(index.subarray(0, packChecksumAt + CHECKSUM_BYTES));
  index.set(checksum.digest(), packChecksumAt + CHECKSUM_BYTES);
  return index;
}

/** The number of objects in the index that begins with these bytes, or null if they begin no such index. */
export function indexedObjects(bytes: Uint8Array): number | null {
  const isIndex = bytes.length >= OIDS_AT && INDEX_HEADER.every((byte, at) => bytes[at] === byte);
  return isIndex ? new DataView(bytes.buffer, bytes.byteOffset).getUint32(OIDS_AT - 4) : null;
}

/** The entries of the index of a pack below 2 GB, or null if it is not an index or ends too early. */
export function parsePackIndex(bytes: Uint8Array): IndexEntry[] | null {
  const count = indexedObjects(bytes);
  return count === null || bytes.length < plainIndexBytes(count) ? null : entriesOf(bytes, count);
}

/** Does the same for an index that may be damaged: each entry is only a guess. */
export function guessPackIndex(bytes: Uint8Array): IndexEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.length < OIDS_AT ? 0 : view.getUint32(OIDS_AT - 4);
  return bytes.length < OIDS_AT + count * INDEX_ENTRY_BYTES ? [] : entriesOf(bytes, count);
}

function entriesOf(bytes: Uint8Array, count: number): IndexEntry[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const crcsAt = OIDS_AT + count * OID_BYTES;
  const offsetsAt = crcsAt + count * 4;
  return Array.from({ length: count }, (_, at) => ({
    oid: view.toString('hex', OIDS_AT + at * OID_BYTES, OIDS_AT + (at + 1) * OID_BYTES),
    crc32: view.readUInt32BE(crcsAt + at * 4),
    offset: view.readUInt32BE(offsetsAt + at * 4),
  }));
}

/** The size of the index of this many objects, for a pack below 2 GB. */
function plainIndexBytes(count: number): number {
  return OIDS_AT + count * INDEX_ENTRY_BYTES + INDEX_TRAILER_BYTES;
}

/** True if these bytes are the whole index of a pack below 2 GB, with its checksum. */
export function isWholeIndex(bytes: Uint8Array): boolean {
  const count = indexedObjects(bytes);
  return count !== null && bytes.length === plainIndexBytes(count) && endsWithChecksum(bytes);
}

/** True if a pack or an index ends with the checksum of the bytes before it. */
export function endsWithChecksum(bytes: Uint8Array): boolean {
  const checksum = createHash('sha1').update(bytes.subarray(0, -CHECKSUM_BYTES)).digest();
  return checksum.equals(bytes.subarray(-CHECKSUM_BYTES));
}

/** For each first byte, the number of oids that begin with it or a lower one. */
function writeFanOut(fanOut: Buffer, sorted: readonly IndexEntry[]): void {
  const counts = new Uint32Array(256);
  for (const { oid } of sorted) {
    const firstByte = Number.parseInt(oid.slice(0, 2), 16);
    counts[firstByte] = (counts[firstByte] ?? 0) + 1;
  }
  let total = 0;
  for (let firstByte = 0; firstByte < 256; firstByte += 1) {
    total += counts[firstByte] ?? 0;
    fanOut.writeUInt32BE(total, firstByte * 4);
  }
}
