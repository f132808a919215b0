import { PACK_HEADER_BYTES } from '../../../formats/packs/pack.ts';
import type { OpenFile } from '../../files/file-system.ts';

const AFTER_BYTES = 16 * 1024;
const BEFORE_BYTES = 48 * 1024;

/**
 * The most recently read part of a pack while a chain of deltas is followed. Git stores versions of a file or
 * directory close together, mostly each base shortly before its delta. So from the second read on, the bytes
 * before are read as well, and several links of the chain cost one round trip.
 */
export class PackWindow {
  #start = 0;
  #bytes: Uint8Array | null = null;

  /**
   * The bytes from `offset` on, at least one: those in memory, or those that one read returns. `end` is the
   * end of the entries.
   */
  async from(file: OpenFile, offset: number, end: number): Promise<Uint8Array> {
    const bytes = this.#bytes;
    const isHere = bytes && offset >= this.#start && offset < this.#start + bytes.length;
    return isHere ? bytes.subarray(offset - this.#start) : this.#read(file, offset, end);
  }

  async #read(file: OpenFile, offset: number, end: number): Promise<Uint8Array> {
    const start = this.#bytes ? Math.max(PACK_HEADER_BYTES, offset - BEFORE_BYTES) : offset;
    const bytes = await readBytes(file, start, Math.min(offset + AFTER_BYTES, end) - start);
    this.#start = start;
    this.#bytes = bytes;
    return bytes.subarray(offset - start);
  }
}

/** This many bytes of a file; fewer only at its end. */
export async function readBytes(file: OpenFile, position: number, length: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(length);
  return bytes.subarray(0, await file.read(bytes, 0, length, position));
}
