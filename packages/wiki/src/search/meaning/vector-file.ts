import { createHash } from 'node:crypto';
import type { Oid } from '../../contract/ids.ts';
import { bytesOf, oidOf } from '../sqlite/oid-bytes.ts';
import type { Vector } from './vectors.ts';

/** The vectors of page versions; none if a page has no text. */
export type VectorsByVersion = Map<Oid, Vector[]>;

/** For each version: its oid, the number of its vectors, and each vector with its length, its scale and its numbers. */
export function encodeVectors(vectors: VectorsByVersion): Buffer {
  const parts: Uint8Array[] = [];
  for (const [version, each] of vectors) {
    parts.push(bytesOf(version), Uint8Array.of(each.length));
    for (const { scale, numbers } of each) {
      const head = Buffer.alloc(HEAD_BYTES);
      head.writeFloatLE(scale, head.writeUInt16LE(numbers.length, 0));
      parts.push(head, new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.length));
    }
  }
  return Buffer.concat(parts);
}

/** The inverse. Its name must have shown that a file is whole. */
export function decodeVectors(bytes: Buffer): VectorsByVersion {
  const vectors: VectorsByVersion = new Map();
  for (let at = 0; at < bytes.length; ) {
    const version = oidOf(bytes.subarray(at, at + OID_BYTES));
    const count = bytes.readUInt8(at + OID_BYTES);
    at += OID_BYTES + 1;
    const each: Vector[] = [];
    for (let number = 0; number < count; number += 1) {
      const dimension = bytes.readUInt16LE(at);
      const scale = bytes.readFloatLE(at + 2);
      at += HEAD_BYTES;
      each.push({ scale, numbers: new Int8Array(bytes.buffer, bytes.byteOffset + at, dimension) });
      at += dimension;
    }
    vectors.set(version, each);
  }
  return vectors;
}

/** The name of a file with these bytes. */
export function nameOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const OID_BYTES = 20;
const HEAD_BYTES = 6;
