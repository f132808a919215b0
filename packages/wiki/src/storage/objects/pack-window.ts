import type { OpenFile } from '../files/file-system.ts';

const AFTER_BYTES = 16 * 1024;
const BEFORE_BYTES = 48 * 1024;
const HEADER_BYTES = 12;

/**
 * The part of a pack that was read last while a chain of deltas is followed. Git lays versions of a file or folder
 * close together, each base most often shortly before the delta: so from the second read on what comes before is read
 * as well, and several links of the chain cost one round trip.
 */
export class PackWindow {
  #start = 0;
  #bytes: Uint8Array | null = null;

  /** The bytes from `offset` on, at least one, as far as they are here or are read at once; `end` is that of the entries. */
  async from(file: OpenFile, offset: number, end: number): Promise<Uint8Array> {
    const bytes = this.#bytes;
    const isHere = bytes && offset >= this.#start && offset < this.#start + bytes.length;
    return isHere ? bytes.subarray(offset - this.#start) : this.#read(file, offset, end);
  }

  async #read(file: OpenFile, offset: number, end: number): Promise<Uint8Array> {
    const start = this.#bytes ? Math.max(HEADER_BYTES, offset - BEFORE_BYTES) : offset;
    const bytes = await readBytes(file, start, Math.min(offset + AFTER_BYTES, end) - start);
    this.#start = start;
    this.#bytes = bytes;
    return bytes.subarray(offset - start);
  }
}

/** So many bytes of a file, fewer only where it ends. */
export async function readBytes(file: OpenFile, position: number, length: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(length);
  return bytes.subarray(0, await file.read(bytes, 0, length, position));
}
