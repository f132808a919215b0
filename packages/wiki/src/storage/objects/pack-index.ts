import type { LruCache } from '../files/lru-cache.ts';
import type { OpenFiles } from '../files/open-files.ts';
import { PAGE_BYTES, PagedFile, type Region } from '../files/paged-file.ts';
import type { Oid } from '../storage.ts';
import { StorageError } from '../storage-error.ts';

const HEADER_BYTES = 8;
const OIDS_AT = HEADER_BYTES + 256 * 4;
const OID_BYTES = 20;
/** Of one object: its oid, a checksum and its offset. */
const ENTRY_BYTES = OID_BYTES + 8;
const TRAILER_BYTES = 40;
const HEADER: Region = { from: 0, to: OIDS_AT };
const LARGE_OFFSET = 0x8000_0000;
const MOST_GUESSES = 3;

/**
 * The `.idx` of a pack, version 2, searched where it lies. Not even its fan-out table is read, as oids are evenly
 * spread and a guess by proportion is nearly always on the right page; that an object is not there is said only
 * after the header was checked. Methods throw StorageError `corrupt_pack`, and what the file system throws.
 */
export class PackIndex {
  readonly #file: PagedFile;
  readonly #path: string;
  readonly #objectCount: number;
  #checked = false;

  private constructor(file: PagedFile, path: string, objectCount: number) {
    this.#file = file;
    this.#path = path;
    this.#objectCount = objectCount;
  }

  /** `packBytes` is the length of the pack: only one beyond 2 GB has offsets that take more room. */
  static async open(
    files: OpenFiles,
    path: string,
    packBytes: number,
    cache: LruCache<Uint8Array>,
  ): Promise<PackIndex> {
    const size = await files.use(path, (opened) => opened.size());
    const file = new PagedFile(files, path, size, cache);
    const plain = (size - OIDS_AT - TRAILER_BYTES) / ENTRY_BYTES;
    const isPlain = packBytes < LARGE_OFFSET && Number.isInteger(plain) && plain >= 0;
    return new PackIndex(
      file,
      path,
      isPlain ? plain : parseHeader(await file.read(0, OIDS_AT, HEADER), path),
    );
  }

  /** Where in the pack the object begins, or null if it is not in it. */
  async find(oid: Oid): Promise<number | null> {
    const position = await this.#search(Buffer.from(oid, 'hex'));
    return position === null ? null : this.#offset(position);
  }

  /** The oids that begin with `prefix`, at most `limit`, in order. */
  async expand(prefix: string, limit: number): Promise<Oid[]> {
    const lowest = Buffer.from(prefix.padEnd(40, '0'), 'hex');
    const oids: Oid[] = [];
    await this.#check();
    let position = await this.#lowerBound(lowest);
    while (oids.length < limit && position < this.#objectCount) {
      const oid = Buffer.from(await this.#oids(position, position + 1)).toString('hex');
      if (!oid.startsWith(prefix)) break;
      oids.push(oid);
      position += 1;
    }
    return oids;
  }

  async #search(oid: Buffer): Promise<number | null> {
    const position = await this.#lowerBound(oid);
    if (position < this.#objectCount && oid.equals(await this.#oids(position, position + 1))) return position;
    await this.#check();
    return null;
  }

  /** The position of the first oid that is not below this one. Guesses, then halves in case oids are not even. */
  async #lowerBound(oid: Buffer): Promise<number> {
    let low = 0;
    let high = this.#objectCount;
    const expected = Math.floor((oid.readUIntBE(0, 6) / 2 ** 48) * high);
    for (let step = 0; low < high; step += 1) {
      const guess = step < MOST_GUESSES ? clamp(expected, low, high - 1) : (low + high) >>> 1;
      const [from, to] = samePage(guess, low, high);
      const oids = await this.#oids(from, to);
      const rank = lowerBoundIn(oids, oid);
      if (rank === 0 && from > low) high = from;
      else if (rank === to - from && to < high) low = to;
      else return from + rank;
    }
    return low;
  }

  async #check(): Promise<void> {
    if (this.#checked) return;
    const count = parseHeader(await this.#file.read(0, OIDS_AT, HEADER), this.#path);
    const least = OIDS_AT + count * ENTRY_BYTES + TRAILER_BYTES;
    if (count !== this.#objectCount || this.#file.size < least || this.#file.size > least + count * 8) {
      throw this.#corrupt('has the wrong size');
    }
    this.#checked = true;
  }

  async #oids(from: number, to: number): Promise<Uint8Array> {
    const region = { from: OIDS_AT, to: OIDS_AT + this.#objectCount * OID_BYTES };
    return this.#read(OIDS_AT + from * OID_BYTES, (to - from) * OID_BYTES, region);
  }

  async #offset(position: number): Promise<number> {
    const offsetsAt = OIDS_AT + this.#objectCount * (OID_BYTES + 4);
    const largeOffsetsAt = offsetsAt + this.#objectCount * 4;
    const region = { from: offsetsAt, to: largeOffsetsAt };
    const offset = asView(await this.#read(offsetsAt + position * 4, 4, region)).getUint32(0);
    if (offset < LARGE_OFFSET) return offset;
    const at = largeOffsetsAt + (offset - LARGE_OFFSET) * 8;
    const large = asView(await this.#read(at, 8, { from: largeOffsetsAt, to: this.#file.size })).getBigUint64(
      0,
    );
    if (large > BigInt(Number.MAX_SAFE_INTEGER)) throw this.#corrupt('holds an impossible offset');
    return Number(large);
  }

  async #read(position: number, length: number, region: Region): Promise<Uint8Array> {
    const bytes = await this.#file.read(position, length, region);
    if (bytes.length < length) throw this.#corrupt('ends too early');
    return bytes;
  }

  #corrupt(what: string): StorageError {
    return corruptIndex(this.#path, what);
  }
}

/** How many objects the index has. */
function parseHeader(bytes: Uint8Array, path: string): number {
  if (bytes.length < OIDS_AT) throw corruptIndex(path, 'ends too early');
  const view = asView(bytes);
  if (view.getUint32(0) !== 0xff744f63 || view.getUint32(4) !== 2) {
    throw corruptIndex(path, 'is not a version 2 pack index');
  }
  return view.getUint32(OIDS_AT - 4);
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

/** The positions around `guess`, between `low` and `high`, whose oids lie on one page of the file. */
function samePage(guess: number, low: number, high: number): [number, number] {
  const at = OIDS_AT + guess * OID_BYTES;
  const pageStart = at - (at % PAGE_BYTES);
  const from = Math.max(low, Math.ceil((pageStart - OIDS_AT) / OID_BYTES));
  const to = Math.min(high, Math.floor((pageStart + PAGE_BYTES - OIDS_AT) / OID_BYTES));
  return guess < to ? [from, to] : [guess, guess + 1];
}

/** How many of these oids are below the given one. */
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

function asView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function corruptIndex(path: string, what: string): StorageError {
  return new StorageError('corrupt_pack', `The pack index ${path} ${what}.`, { path });
}
