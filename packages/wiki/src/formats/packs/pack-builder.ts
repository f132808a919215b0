import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { CHECKSUM_BYTES, type ObjectType, type Oid } from '../oid.ts';
import { PACK_HEADER_BYTES, packHeader } from './pack.ts';
import { encodeDistance, entryHeader } from './pack-entry.ts';
import { encodePackIndex, type IndexEntry } from './pack-index.ts';

/** Builds a pack from entries that are compressed already. */
export class PackBuilder {
  readonly #parts: Uint8Array[] = [];
  readonly #entries: IndexEntry[] = [];
  readonly #offsets = new Map<Oid, number>();
  #offset = PACK_HEADER_BYTES;

  /** `length` is the size of the content before compression. */
  addWhole(oid: Oid, type: ObjectType, length: number, compressed: Uint8Array): void {
    this.#add(oid, entryHeader(type, length), compressed);
  }

  /** `base` must have been added before. `length` is the size of the delta before compression. */
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
