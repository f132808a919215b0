import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ObjectType, Oid } from '../storage.ts';
import { encodePackIndex, type IndexEntry } from './pack-index-writer.ts';
import { entryHeader, PACK_HEADER_LENGTH, packHeader } from './pack-writer.ts';

/** Puts entries that are compressed already one after another into a pack. */
export class PackBuilder {
  readonly #parts: Uint8Array[] = [];
  readonly #entries: IndexEntry[] = [];
  readonly #offsets = new Map<Oid, number>();
  #offset = PACK_HEADER_LENGTH;

  /** `length` is that of the content before compression. */
  addWhole(oid: Oid, type: ObjectType, length: number, compressed: Uint8Array): void {
    this.#add(oid, entryHeader(type, length), compressed);
  }

  /** `base` was added before; `length` is that of the delta before compression. */
  addDelta(oid: Oid, base: Oid, length: number, compressed: Uint8Array): void {
    const distance = this.#offset - (this.#offsets.get(base) ?? Number.NaN);
    const header = Buffer.concat([entryHeader('offset_delta', length), encodeDistance(distance)]);
    this.#add(oid, header, compressed);
  }

  finish(): { packBytes: Uint8Array; indexBytes: Uint8Array } {
    const header = packHeader(this.#entries.length);
    const packBytes = Buffer.concat([header, ...this.#parts], this.#offset + CHECKSUM_BYTES);
    const checksum = createHash('sha1').update(packBytes.subarray(0, this.#offset)).digest();
    packBytes.set(checksum, this.#offset);
    return { packBytes, indexBytes: encodePackIndex(this.#entries, checksum) };
  }

  #add(oid: Oid, header: Uint8Array, compressed: Uint8Array): void {
    this.#parts.push(header, compressed);
    this.#entries.push({ oid, offset: this.#offset, crc32: crc32(compressed, crc32(header)) });
    this.#offsets.set(oid, this.#offset);
    this.#offset += header.length + compressed.length;
  }
}

const CHECKSUM_BYTES = 20;

/** 7 bits a byte, the highest first; each byte but the last stands for one more than it says. */
function encodeDistance(distance: number): Uint8Array {
  const bytes = [distance & 0x7f];
  for (let rest = Math.floor(distance / 128); rest > 0; rest = Math.floor(rest / 128)) {
    rest -= 1;
    bytes.unshift(0x80 | (rest & 0x7f));
  }
  return Uint8Array.from(bytes);
}
