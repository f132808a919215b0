import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { CHECKSUM_BYTES } from '../oid.ts';
import { PACK_HEADER_BYTES, packHeader } from './pack.ts';

/**
 * A pack in one buffer that is as large as the pack may become. Untouched parts of the buffer take no memory.
 */
export class GrowingPack {
  readonly #head: Uint8Array;
  #bytes: Buffer;
  #length: number;
  #count = 0;
  #crc32 = 0;

  /** `room` is the expected maximum size of all entries. `head` comes before the pack. */
  constructor(room: number, head: Uint8Array = new Uint8Array()) {
    this.#head = head;
    this.#length = head.length + PACK_HEADER_BYTES;
    this.#bytes = Buffer.allocUnsafe(this.#length + room + CHECKSUM_BYTES);
  }

  /** The CRC-32 of the current entry. */
  get crc32(): number {
    return this.#crc32;
  }

  /** The length of the pack so far. */
  get length(): number {
    return this.#length - this.#head.length;
  }

  /** Begins an entry and returns its offset in the pack. */
  begin(header: Uint8Array): number {
    const offset = this.length;
    this.#count += 1;
    this.#crc32 = 0;
    this.append(header);
    return offset;
  }

  /** Appends the entries of another pack. */
  take(entries: Uint8Array, count: number): void {
    this.append(entries);
    this.#count += count;
  }

  append(part: Uint8Array): void {
    const needed = this.#length + part.length + CHECKSUM_BYTES;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(2 * needed);
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(part, this.#length);
    this.#crc32 = crc32(part, this.#crc32);
    this.#length += part.length;
  }

  /** The head and the pack. `pause` is called between pieces of work. */
  async finish(pause: () => Promise<void> | undefined): Promise<{ bytes: Uint8Array; checksum: Uint8Array }> {
    this.#bytes.set(this.#head);
    this.#bytes.set(packHeader(this.#count), this.#head.length);
    const hash = createHash('sha1');
    for (let at = this.#head.length; at < this.#length; at += HASHED_AT_ONCE) {
      hash.update(this.#bytes.subarray(at, Math.min(at + HASHED_AT_ONCE, this.#length)));
      await pause();
    }
    const checksum = hash.digest();
    this.#bytes.set(checksum, this.#length);
    return { bytes: this.#bytes.subarray(0, this.#length + CHECKSUM_BYTES), checksum };
  }
}

const HASHED_AT_ONCE = 4_000_000;
