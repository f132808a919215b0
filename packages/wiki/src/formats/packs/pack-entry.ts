import { mostBytes } from '../deflate.ts';
import { inflate } from '../inflate.ts';
import { type ObjectType, OID_BYTES, type Oid } from '../oid.ts';

/** The entry at one offset of a pack: a whole object, or a delta against another object of the same pack. */
export type PackEntry =
  | { kind: 'whole'; type: ObjectType; content: Uint8Array }
  | { kind: 'offset_delta'; baseDistance: number; delta: Uint8Array }
  | { kind: 'reference_delta'; baseOid: Oid; delta: Uint8Array };

export type ParsedEntry =
  /**
   * `length` is the size of the entry in the pack, `headerLength` the size of the part before the compressed
   * bytes.
   */
  | { outcome: 'parsed'; entry: PackEntry; length: number; headerLength: number }
  /** The given bytes end before the entry does. `bytesNeeded` suffices for any usual compression. */
  | { outcome: 'truncated'; bytesNeeded: number }
  | { outcome: 'corrupt'; reason: string }
  /** The entry declares more bytes than allowed. Nothing was inflated. */
  | { outcome: 'too large'; size: number };

/** Parses the entry at the beginning of `bytes`, unless it declares more than `maxBytes`. */
export function parsePackEntry(bytes: Uint8Array, maxBytes: number): ParsedEntry {
  const header = parseEntryHeader(bytes);
  if (header === 'truncated') return { outcome: 'truncated', bytesNeeded: bytes.length * 2 };
  if (typeof header === 'string') return { outcome: 'corrupt', reason: header };
  if (header.size > maxBytes) return { outcome: 'too large', size: header.size };
  const found = inflate(bytes.subarray(header.length), header.size);
  if (found === 'truncated') {
    return { outcome: 'truncated', bytesNeeded: header.length + mostBytes(header.size) };
  }
  if (typeof found === 'string') return { outcome: 'corrupt', reason: found };
  const length = header.length + found.compressedLength;
  return { outcome: 'parsed', entry: header.entryOf(found.content), length, headerLength: header.length };
}

/** The header of an entry, known before anything is inflated. */
export interface EntryHeader {
  /** The size of the inflated content or delta. */
  size: number;
  /** The size of the header itself, including the base of a delta. */
  length: number;
  entryOf(content: Uint8Array): PackEntry;
}

const TYPES: Readonly<Record<number, ObjectType>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' };
const OFFSET_DELTA = 6;
const REFERENCE_DELTA = 7;
const KIND_NUMBERS = {
  commit: 1,
  tree: 2,
  blob: 3,
  tag: 4,
  offset_delta: OFFSET_DELTA,
  reference_delta: REFERENCE_DELTA,
} as const;

export function parseEntryHeader(bytes: Uint8Array): EntryHeader | 'truncated' | 'unknown kind of entry' {
  let position = 0;
  let byte = bytes[position++];
  if (byte === undefined) return 'truncated';
  const kind = (byte >> 4) & 7;
  let size = byte & 0x0f;
  for (let factor = 16; byte & 0x80; factor *= 128) {
    byte = bytes[position++];
    if (byte === undefined) return 'truncated';
    size += (byte & 0x7f) * factor;
  }
  const type = TYPES[kind];
  if (type) {
    return { size, length: position, entryOf: (content) => ({ kind: 'whole', type, content }) };
  }
  if (kind === REFERENCE_DELTA) {
    const length = position + OID_BYTES;
    if (bytes.length < length) return 'truncated';
    const baseOid = Buffer.from(bytes.subarray(position, length)).toString('hex');
    return { size, length, entryOf: (delta) => ({ kind: 'reference_delta', baseOid, delta }) };
  }
  if (kind !== OFFSET_DELTA) return 'unknown kind of entry';
  let baseDistance = 0;
  for (let first = true; first || byte & 0x80; first = false) {
    byte = bytes[position++];
    if (byte === undefined) return 'truncated';
    // Each further byte adds one to its value: so every distance has exactly one spelling.
    baseDistance = (first ? 0 : baseDistance + 1) * 128 + (byte & 0x7f);
  }
  return { size, length: position, entryOf: (delta) => ({ kind: 'offset_delta', baseDistance, delta }) };
}

/** The header of a delta of this length whose base is named by its oid. */
export function referenceHeader(base: Oid, length: number): Uint8Array {
  return Buffer.concat([entryHeader('reference_delta', length), Buffer.from(base, 'hex')]);
}

/** Type and length: 4 bits of the length in the first byte and 7 in each further one. */
export function entryHeader(
  kind: ObjectType | 'offset_delta' | 'reference_delta',
  length: number,
): Uint8Array {
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

/** 7 bits a byte, the highest first. Each byte but the last counts one more than its value. */
export function encodeDistance(distance: number): Uint8Array {
  const bytes = [distance & 0x7f];
  for (let rest = Math.floor(distance / 128); rest > 0; rest = Math.floor(rest / 128)) {
    rest -= 1;
    bytes.unshift(0x80 | (rest & 0x7f));
  }
  return Uint8Array.from(bytes);
}
