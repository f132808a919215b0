import { OID_BYTES, type Oid } from '../../formats/oid.ts';

const FIRST_CAPACITY = 64;

/**
 * Oids in the order in which they were added, each once, at 30 to 60 bytes each: a wiki has millions of them.
 */
export class OidList {
  #bytes = Buffer.alloc(FIRST_CAPACITY * OID_BYTES);
  /** By hash: the position in the list plus one. Has at least twice as many places as oids. */
  #places = new Uint32Array(2 * FIRST_CAPACITY);
  #size = 0;

  /** The list that `bytes` holds. */
  static from(bytes: Uint8Array): OidList {
    const list = new OidList();
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < buffer.length; at += OID_BYTES) list.#add(buffer.subarray(at, at + OID_BYTES));
    return list;
  }

  get size(): number {
    return this.#size;
  }

  /** The oids one after the other, 20 bytes each. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#size * OID_BYTES);
  }

  has(oid: Oid): boolean {
    return this.positionOf(oid) !== null;
  }

  /** The position of the oid, or null if it is not in the list. */
  positionOf(oid: Oid): number | null {
    const place = this.#places[this.#placeOf(Buffer.from(oid, 'hex'))] ?? 0;
    return place === 0 ? null : place - 1;
  }

  /** Adds the oid. Returns true if it is new. */
  add(oid: Oid): boolean {
    return this.#add(Buffer.from(oid, 'hex'));
  }

  at(position: number): Oid | null {
    const from = position * OID_BYTES;
    return position >= 0 && position < this.#size
      ? this.#bytes.toString('hex', from, from + OID_BYTES)
      : null;
  }

  *[Symbol.iterator](): Generator<Oid> {
    for (let at = 0; at < this.#size; at += 1) yield this.at(at) as Oid;
  }

  #add(oid: Buffer): boolean {
    const place = this.#placeOf(oid);
    if (this.#places[place] !== 0) return false;
    oid.copy(this.#bytes, this.#size * OID_BYTES);
    this.#size += 1;
    this.#places[place] = this.#size;
    if (this.#size * OID_BYTES === this.#bytes.length) this.#grow();
    return true;
  }

  /**
   * The place of the oid, or the free place for it. Oids are evenly spread, so their first bytes are a good
   * hash.
   */
  #placeOf(oid: Buffer): number {
    const mask = this.#places.length - 1;
    for (let place = oid.readUInt32BE(0) & mask; ; place = (place + 1) & mask) {
      const position = this.#places[place] ?? 0;
      if (position === 0) return place;
      const from = (position - 1) * OID_BYTES;
      if (oid.compare(this.#bytes, from, from + OID_BYTES) === 0) return place;
    }
  }

  #grow(): void {
    const bytes = Buffer.alloc(2 * this.#bytes.length);
    this.#bytes.copy(bytes);
    this.#bytes = bytes;
    this.#places = new Uint32Array(2 * this.#places.length);
    for (let position = 1; position <= this.#size; position += 1) {
      const from = (position - 1) * OID_BYTES;
      this.#places[this.#placeOf(bytes.subarray(from, from + OID_BYTES))] = position;
    }
  }
}
