import { CHECKSUM_BYTES, OID_BYTES, type Oid } from '../../formats/oid.ts';
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
  /** The offsets of all entries, in their order. */
  readonly #offsets: Uint32Array;
  /** The positions in the index, in the same order. */
  readonly #positions: Uint32Array;
  /** The end of the last entry. */
  readonly #end: number;

  private constructor(index: Buffer, count: number, end: number) {
    this.#index = index;
    this.#count = count;
    this.#end = end;
    // Numbers that hold both are sorted many times as fast as positions by their offsets.
    const pairs = Float64Array.from({ length: count }, (_, at) => this.#offsetAt(at) * MAX_OBJECTS + at);
    pairs.sort();
    this.#offsets = Uint32Array.from(pairs, (pair) => Math.floor(pair / MAX_OBJECTS));
    this.#positions = Uint32Array.from(pairs, (pair) => pair % MAX_OBJECTS);
  }

  /**
   * Null if the bytes are no such index.
   * @param end the position of the checksum after the entries.
   */
  static parse(bytes: Uint8Array, end: number): PackMap | null {
    const count = indexedObjects(bytes);
    if (count === null || bytes.length !== OIDS_AT + count * INDEX_ENTRY_BYTES + INDEX_TRAILER_BYTES)
      return null;
    if (count > MAX_OBJECTS) return null;
    return new PackMap(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), count, end);
  }

  /** The checksum of the pack itself. */
  get packChecksum(): Uint8Array {
    return this.#index.subarray(-2 * CHECKSUM_BYTES, -CHECKSUM_BYTES);
  }

  /** The position of the object in the index, or null. */
  find(oid: Oid): number | null {
    const begin = Number.parseInt(oid.slice(0, BEGIN_DIGITS), 16);
    const first = begin >>> 24;
    let low = first === 0 ? 0 : this.#index.readUInt32BE(FAN_OUT_AT + (first - 1) * 4);
    let high = Math.min(this.#index.readUInt32BE(FAN_OUT_AT + first * 4), this.#count);
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = this.#compare(middle, begin, oid);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return null;
  }

  /** Where the entry begins, and where the next one does. */
  rangeOf(position: number): { offset: number; end: number } {
    const offset = this.#offsetAt(position);
    return { offset, end: this.#offsets[this.#rankOf(offset) + 1] ?? this.#end };
  }

  /** The position in the index of the object whose entry begins there, or null. */
  positionAtOffset(offset: number): number | null {
    const rank = this.#rankOf(offset);
    return this.#offsets[rank] === offset ? (this.#positions[rank] ?? null) : null;
  }

  /** The oid at a position in the index. */
  oidAt(position: number): Oid {
    const at = OIDS_AT + position * OID_BYTES;
    return this.#index.toString('hex', at, at + OID_BYTES);
  }

  /** The checksum of the entry's bytes. */
  crc32At(position: number): number {
    return this.#index.readUInt32BE(OIDS_AT + this.#count * OID_BYTES + position * 4);
  }

  /** Below 0 if the oid at the position comes before. `begin` is the number that the oid begins with. */
  #compare(position: number, begin: number, oid: Oid): number {
    const order = this.#index.readUInt32BE(OIDS_AT + position * OID_BYTES) - begin;
    if (order !== 0) return order;
    const found = this.oidAt(position);
    if (found === oid) return 0;
    return found < oid ? -1 : 1;
  }

  #offsetAt(position: number): number {
    return this.#index.readUInt32BE(OIDS_AT + this.#count * (OID_BYTES + 4) + position * 4);
  }

  /** The number of entries that begin before the offset. */
  #rankOf(offset: number): number {
    let [low, high] = [0, this.#count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#offsets[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** An offset below 2 ** 31 and a position below this fit into one exact number. */
const MAX_OBJECTS = 2 ** 22;
/** The digits of four bytes. */
const BEGIN_DIGITS = 8;
