import type { GitObject, Oid } from '../../formats/oid.ts';
import { LruCache } from '../files/lru-cache.ts';

/** Approximate cost of an entry besides its content: two keys, two map slots, the object and its buffer. */
const OVERHEAD_BYTES = 400;
const MAX_WASTED_BYTES = 256;

/** Inflated objects by oid, and delta bases by their position in a pack. */
export class ObjectCache {
  readonly #cache: LruCache<GitObject>;

  constructor(budget: number) {
    this.#cache = new LruCache(budget);
  }

  resize(budget: number): void {
    this.#cache.resize(budget);
  }

  byOid(oid: Oid): GitObject | undefined {
    return this.#cache.get(oid);
  }

  byPlace(packPath: string, offset: number): GitObject | undefined {
    return this.#cache.get(placeKey(packPath, offset));
  }

  /** Keeps an object whose content was verified against its oid. */
  keep(oid: Oid, object: GitObject, place?: { packPath: string; offset: number }): void {
    this.#set(place ? [oid, placeKey(place.packPath, place.offset)] : [oid], object);
  }

  /** Keeps the base of a delta, whose oid is unknown. */
  keepBase(packPath: string, offset: number, object: GitObject): void {
    // A base that is already kept may also be known by its oid.
    if (!this.byPlace(packPath, offset)) this.#set([placeKey(packPath, offset)], object);
  }

  #set(keys: readonly string[], { type, content }: GitObject): void {
    this.#cache.set(keys, { type, content: inMemoryOfItsOwn(content) }, content.length + OVERHEAD_BYTES);
  }
}

/**
 * Node allocates small buffers as parts of larger ones, and one kept part keeps the whole larger buffer in
 * memory.
 */
function inMemoryOfItsOwn(content: Uint8Array): Uint8Array {
  return content.buffer.byteLength > content.length + MAX_WASTED_BYTES ? new Uint8Array(content) : content;
}

function placeKey(packPath: string, offset: number): string {
  return `${offset} ${packPath}`;
}
