import { OID_BYTES, type Oid } from '../../formats/oid.ts';
import {
  FAN_OUT_AT,
  INDEX_ENTRY_BYTES,
  INDEX_TRAILER_BYTES,
  indexedObjects,
  OIDS_AT,
} from '../../formats/packs/pack-index.ts';

/** The index of a pack below 2 GB in memory, by oid and by offset. */
export class PackMap {
  readonly #index: Buffer;
  readonly #count: number;
  /** The positions in the index, by offset. */
  readonly #byOffset: Uint32Array;
  /** The end of the last entry. */
  readonly #end: number;

  private constructor(index: Buffer, count: number, end: number) {
    this.#index = index;
    this.#count = count;
    this.#end = end;
    const offsets = Float64Array.from({ length: count }, (_, position) => this.#offsetAt(position));
    this.#byOffset = Uint32Array.from({ length: count }, (_, position) => position);
    this.#byOffset.sort((one, other) => (offsets[one] ?? 0) - (offsets[other] ?? 0));
  }

  /**
   * Null if the bytes are no such index.
   * @param end the position of the checksum after the entries.
   */
  static parse(bytes: Uint8Array, end: number): PackMap | null {
    const count = indexedObjects(bytes);
    if (count === null || bytes.length !== OIDS_AT + count * INDEX_ENTRY_BYTES + INDEX_TRAILER_BYTES)
      return null;
    return new PackMap(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), count, end);
  }

  /** The position of the object in the index, or null. */
  find(oid: Oid): number | null {
    const wanted = Buffer.from(oid, 'hex');
    const first = wanted[0] ?? 0;
    let low = first === 0 ? 0 : this.#index.readUInt32BE(FAN_OUT_AT + (first - 1) * 4);
    let high = Math.min(this.#index.readUInt32BE(FAN_OUT_AT + first * 4), this.#count);
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = OIDS_AT + middle * OID_BYTES;
      const order = this.#index.compare(wanted, 0, OID_BYTES, at, at + OID_BYTES);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return null;
  }

  /** Where the entry begins, and where the next one does. */
  rangeOf(position: number): { offset: number; end: number } {
    const offset = this.#offsetAt(position);
    const next = this.#byOffset[this.#rankOf(offset) + 1];
    return { offset, end: next === undefined ? this.#end : this.#offsetAt(next) };
  }

  /** The object whose entry begins there, or null. */
  oidAtOffset(offset: number): Oid | null {
    const position = this.#byOffset[this.#rankOf(offset)];
    if (position === undefined || this.#offsetAt(position) !== offset) return null;
    const at = OIDS_AT + position * OID_BYTES;
    return this.#index.toString('hex', at, at + OID_BYTES);
  }

  /** The checksum of the entry's bytes. */
  crc32At(position: number): number {
    return this.#index.readUInt32BE(OIDS_AT + this.#count * OID_BYTES + position * 4);
  }

  #offsetAt(position: number): number {
    return this.#index.readUInt32BE(OIDS_AT + this.#count * (OID_BYTES + 4) + position * 4);
  }

  /** The number of entries that begin before the offset. */
  #rankOf(offset: number): number {
    let [low, high] = [0, this.#count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#offsetAt(this.#byOffset[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
