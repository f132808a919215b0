import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Region } from '../files/paged-file.ts';
import { OID_BYTES } from './oid-table.ts';

/** The chunks that tell where objects lie: names of packs, oids, and for each oid a pack and an offset. */
export const CHUNKS = ['PNAM', 'OIDL', 'OOFF'] as const;
/** Of one object: the number of its pack, and where in it the object begins. */
export const OFFSET_BYTES = 8;
const FIXED_BYTES = 12;
const CHUNK_ENTRY_BYTES = 12;
const MOST_CHUNKS = 8;
/** All that `parseHeader` looks at. */
export const HEADER_BYTES = FIXED_BYTES + CHUNK_ENTRY_BYTES * (MOST_CHUNKS + 1);

/** Where in a multi-pack-index of version 1 its chunks lie, null where the bytes are the beginning of something else. */
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
 * A multi-pack-index over the packs of these indexes, as `git multi-pack-index write` makes it. An object of several
 * packs is told to lie in the one that is named first.
 */
export async function encodeMultiPackIndex(indexes: readonly SourceIndex[]): Promise<Uint8Array> {
  const packs = indexes.map(({ pack }) => `${pack}.idx`).sort();
  const numbers = indexes.map(({ pack }) => packs.indexOf(`${pack}.idx`));
  const fanOut = Buffer.alloc(256 * 4);
  const oids: Buffer[] = [];
  const offsets: Buffer[] = [];
  let count = 0;
  for (let firstByte = 0; firstByte < 256; firstByte += 1) {
    const entries = indexes.flatMap(({ bytes }, source) => entriesOf(bytes, source, firstByte));
    entries.sort((a, b) => a.oid.compare(b.oid) || a.source - b.source);
    const distinct = entries.filter(({ oid }, at) => !entries[at - 1]?.oid.equals(oid));
    count += distinct.length;
    fanOut.writeUInt32BE(count, firstByte * 4);
    oids.push(Buffer.concat(distinct.map(({ oid }) => oid)));
    offsets.push(Buffer.concat(distinct.map(({ source, offset }) => place(numbers[source] ?? 0, offset))));
    // Others wait for this thread.
    await setImmediate();
  }
  const names = Buffer.from(packs.map((name) => `${name}\0`).join(''));
  const padding = Buffer.alloc((4 - (names.length % 4)) % 4);
  return assemble(packs.length, [
    ['PNAM', Buffer.concat([names, padding])],
    ['OIDF', fanOut],
    ['OIDL', Buffer.concat(oids)],
    ['OOFF', Buffer.concat(offsets)],
  ]);
}

const VERSION_1_SHA_1 = 0x0101;
const INDEX_HEADER_BYTES = 8;
const OIDS_AT = INDEX_HEADER_BYTES + 256 * 4;

interface Entry {
  oid: Buffer;
  source: number;
  offset: Buffer;
}

/** The objects of an `.idx` whose oids begin with this byte. */
function entriesOf(index: Buffer, source: number, firstByte: number): Entry[] {
  const total = (byte: number) => (byte < 0 ? 0 : index.readUInt32BE(INDEX_HEADER_BYTES + byte * 4));
  const from = total(firstByte - 1);
  const offsetsAt = OIDS_AT + total(255) * (OID_BYTES + 4);
  return Array.from({ length: total(firstByte) - from }, (_, at) => {
    const oidAt = OIDS_AT + (from + at) * OID_BYTES;
    const offsetAt = offsetsAt + (from + at) * 4;
    return {
      oid: index.subarray(oidAt, oidAt + OID_BYTES),
      source,
      offset: index.subarray(offsetAt, offsetAt + 4),
    };
  });
}

function place(pack: number, offset: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(OFFSET_BYTES);
  bytes.writeUInt32BE(pack);
  bytes.set(offset, 4);
  return bytes;
}

function assemble(packCount: number, chunks: readonly (readonly [string, Uint8Array])[]): Uint8Array {
  const header = Buffer.alloc(FIXED_BYTES + CHUNK_ENTRY_BYTES * (chunks.length + 1));
  header.write('MIDX', 'latin1');
  header.writeUInt16BE(VERSION_1_SHA_1, 4);
  header.writeUInt8(chunks.length, 6);
  header.writeUInt32BE(packCount, 8);
  let position = header.length;
  for (const [at, [name, bytes]] of chunks.entries()) {
    header.write(name, FIXED_BYTES + CHUNK_ENTRY_BYTES * at, 'latin1');
    header.writeBigUInt64BE(BigInt(position), FIXED_BYTES + CHUNK_ENTRY_BYTES * at + 4);
    position += bytes.length;
  }
  header.writeBigUInt64BE(BigInt(position), header.length - 8);
  const body = Buffer.concat([header, ...chunks.map(([, bytes]) => bytes)]);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}
