import { inflateSync } from 'node:zlib';
import type { ObjectType, Oid } from '../storage.ts';
import { mostBytes } from './deflate.ts';

/** What a pack holds at one offset: an object, or how it differs from another one of the same pack. */
export type PackEntry =
  | { kind: 'whole'; type: ObjectType; content: Uint8Array }
  | { kind: 'offset_delta'; baseDistance: number; delta: Uint8Array }
  | { kind: 'reference_delta'; baseOid: Oid; delta: Uint8Array };

export type ParsedEntry =
  /** `length` is how many bytes the entry takes in the pack, `headerLength` how many come before what is compressed. */
  | { outcome: 'parsed'; entry: PackEntry; length: number; headerLength: number }
  /** The bytes given end before the entry does; `bytesNeeded` are enough for any usual compression. */
  | { outcome: 'truncated'; bytesNeeded: number }
  | { outcome: 'corrupt'; reason: string };

/** Parses the entry that `bytes` begins with. */
export function parsePackEntry(bytes: Uint8Array): ParsedEntry {
  const header = parseHeader(bytes);
  if (header === 'truncated') return { outcome: 'truncated', bytesNeeded: bytes.length * 2 };
  if (typeof header === 'string') return { outcome: 'corrupt', reason: header };
  if (header.size > MOST_OBJECT_BYTES) return { outcome: 'corrupt', reason: 'an object of more than 2 GB' };
  const inflated = inflate(bytes.subarray(header.length), header.size);
  if (inflated === 'truncated') {
    return { outcome: 'truncated', bytesNeeded: header.length + mostBytes(header.size) };
  }
  if (typeof inflated === 'string') return { outcome: 'corrupt', reason: inflated };
  const length = header.length + inflated.compressedLength;
  return { outcome: 'parsed', entry: header.entryOf(inflated.content), length, headerLength: header.length };
}

interface Header {
  /** Of the content, inflated. */
  size: number;
  /** Of the header itself, with the base of a delta. */
  length: number;
  entryOf(content: Uint8Array): PackEntry;
}

const TYPES: Readonly<Record<number, ObjectType>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' };
const OFFSET_DELTA = 6;
const REFERENCE_DELTA = 7;
const OID_BYTES = 20;
const MOST_OBJECT_BYTES = 2 ** 31;
const MOST_CHUNK_BYTES = 2 ** 20;

function parseHeader(bytes: Uint8Array): Header | 'truncated' | 'unknown kind of entry' {
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
    // Each further byte stands for one more than it says: so git makes every distance have one spelling.
    baseDistance = (first ? 0 : baseDistance + 1) * 128 + (byte & 0x7f);
  }
  return { size, length: position, entryOf: (delta) => ({ kind: 'offset_delta', baseDistance, delta }) };
}

interface Inflated {
  content: Uint8Array;
  compressedLength: number;
}

function inflate(bytes: Uint8Array, size: number): Inflated | 'truncated' | 'damaged compression' {
  try {
    // Room for a little more than is expected: zlib then needs one round, and gives away what is too long.
    const chunkSize = Math.min(size + 64, MOST_CHUNK_BYTES);
    const options = { chunkSize, maxOutputLength: size + 64, info: true };
    const inflated: unknown = inflateSync(bytes, options);
    if (!isInflateInfo(inflated) || inflated.buffer.length !== size) return 'damaged compression';
    return { content: inflated.buffer, compressedLength: inflated.engine.bytesWritten };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'Z_BUF_ERROR') return 'truncated';
    if (code === 'Z_DATA_ERROR' || code === 'Z_NEED_DICT' || code === 'ERR_BUFFER_TOO_LARGE') {
      return 'damaged compression';
    }
    throw error;
  }
}

/** What zlib returns with the option `info`, which @types/node does not declare. */
function isInflateInfo(value: unknown): value is { buffer: Buffer; engine: { bytesWritten: number } } {
  return typeof value === 'object' && value !== null && 'buffer' in value && 'engine' in value;
}
