import { OID_BYTES, type Oid } from '../../../formats/oid.ts';
import { PAGE_BYTES, type Region } from '../../files/paged-file.ts';

const MAX_GUESSES = 3;

type Read = (position: number, length: number, region: Region) => Promise<Uint8Array>;

/**
 * The sorted oids of an index file, searched in place. Oids are evenly spread, so a guess by proportion is
 * nearly always on the right page. Methods throw what `read` throws; `read` never returns fewer bytes than
 * requested.
 */
export class OidTable {
  readonly #readFile: Read;
  readonly #at: number;
  readonly #count: number;

  constructor(read: Read, { at, count }: { at: number; count: number }) {
    this.#readFile = read;
    this.#at = at;
    this.#count = count;
  }

  /** The position of the oid in the table, or null. */
  async find(oid: Oid): Promise<number | null> {
    const bytes = Buffer.from(oid, 'hex');
    const position = await this.#lowerBound(bytes);
    const isThere = position < this.#count && bytes.equals(await this.#oids(position, position + 1));
    return isThere ? position : null;
  }

  /** The oids that begin with `prefix`, at most `limit`, in order. */
  async expand(prefix: string, limit: number): Promise<Oid[]> {
    const oids: Oid[] = [];
    let position = await this.#lowerBound(Buffer.from(prefix.padEnd(2 * OID_BYTES, '0'), 'hex'));
    while (oids.length < limit && position < this.#count) {
      const oid = Buffer.from(await this.#oids(position, position + 1)).toString('hex');
      if (!oid.startsWith(prefix)) break;
      oids.push(oid);
      position += 1;
    }
    return oids;
  }

  /**
   * The position of the first oid that is not below this one. Guesses first, then bisects in case oids are
   * not evenly spread.
   */
  async #lowerBound(oid: Buffer): Promise<number> {
    let low = 0;
    let high = this.#count;
    const expected = Math.floor((oid.readUIntBE(0, 6) / 2 ** 48) * high);
    for (let step = 0; low < high; step += 1) {
      const guess = step < MAX_GUESSES ? clamp(expected, low, high - 1) : (low + high) >>> 1;
      const [from, to] = this.#samePage(guess, low, high);
      const oids = await this.#oids(from, to);
      const rank = lowerBoundIn(oids, oid);
      if (rank === 0 && from > low) high = from;
      else if (rank === to - from && to < high) low = to;
      else return from + rank;
    }
    return low;
  }

  /** The positions around `guess`, between `low` and `high`, whose oids lie on the same page of the file. */
  #samePage(guess: number, low: number, high: number): [number, number] {
    const at = this.#at + guess * OID_BYTES;
    const pageStart = at - (at % PAGE_BYTES);
    const from = Math.max(low, Math.ceil((pageStart - this.#at) / OID_BYTES));
    const to = Math.min(high, Math.floor((pageStart + PAGE_BYTES - this.#at) / OID_BYTES));
    return guess < to ? [from, to] : [guess, guess + 1];
  }

  async #oids(from: number, to: number): Promise<Uint8Array> {
    const region = { from: this.#at, to: this.#at + this.#count * OID_BYTES };
    return this.#readFile(this.#at + from * OID_BYTES, (to - from) * OID_BYTES, region);
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

/** The number of these oids that are below the given one. */
function lowerBoundIn(oids: Uint8Array, oid: Buffer): number {
  let low = 0;
  let high = oids.length / OID_BYTES;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const comparison = oid.compare(oids, middle * OID_BYTES, (middle + 1) * OID_BYTES);
    if (comparison > 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
