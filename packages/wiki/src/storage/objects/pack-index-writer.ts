import { createHash } from 'node:crypto';
import type { Oid } from '../storage.ts';
import { FAN_OUT_AT, INDEX_HEADER, LARGE_OFFSET, OIDS_AT, TRAILER_BYTES } from './pack-index-layout.ts';

/** Where one object lies in a pack: `crc32` is of its packed bytes, which begin at `offset`. */
export interface IndexEntry {
  oid: Oid;
  crc32: number;
  offset: number;
}

/**
 * The bytes of a pack's `.idx`, version 2, as `git index-pack` writes them. No two entries share an oid;
 * `packChecksum` is the 20 bytes that the pack ends with.
 */
export function encodePackIndex(entries: readonly IndexEntry[], packChecksum: Uint8Array): Uint8Array {
  const sorted = [...entries].sort((a, b) => (a.oid < b.oid ? -1 : 1));
  const large = sorted.filter((entry) => entry.offset >= LARGE_OFFSET);
  const crcsAt = OIDS_AT + sorted.length * 20;
  const offsetsAt = crcsAt + sorted.length * 4;
  const largeOffsetsAt = offsetsAt + sorted.length * 4;
  const packChecksumAt = largeOffsetsAt + large.length * 8;
  const index = Buffer.alloc(packChecksumAt + TRAILER_BYTES);

  index.set(INDEX_HEADER);
  writeFanOut(index.subarray(FAN_OUT_AT, OIDS_AT), sorted);
  let largeCount = 0;
  for (const [position, { oid, crc32, offset }] of sorted.entries()) {
    index.write(oid, OIDS_AT + position * 20, 'hex');
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
  const checksum = createHash('sha1').update(index.subarray(0, packChecksumAt + 20));
  index.set(checksum.digest(), packChecksumAt + 20);
  return index;
}

/** For each first byte, how many oids begin with it or with a smaller one. */
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
