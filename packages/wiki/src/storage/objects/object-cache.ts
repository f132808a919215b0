import { LruCache } from '../files/lru-cache.ts';
import type { GitObject, Oid } from '../storage.ts';

/** About what an entry costs beside its content: two keys, two map slots, the object and its buffer. */
const OVERHEAD_BYTES = 400;
const MOST_WASTED_BYTES = 256;

/** Inflated objects by oid, and bases of deltas by the place in a pack where they begin. */
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

  /** Keeps an object whose content was proved to be what the oid says. */
  keep(oid: Oid, object: GitObject, place?: { packPath: string; offset: number }): void {
    this.#set(place ? [oid, placeKey(place.packPath, place.offset)] : [oid], object);
  }

  /** Keeps the base of a delta, whose oid is not known. */
  keepBase(packPath: string, offset: number, object: GitObject): void {
    // One that is kept already may also be known by its oid.
    if (!this.byPlace(packPath, offset)) this.#set([placeKey(packPath, offset)], object);
  }

  #set(keys: readonly string[], { type, content }: GitObject): void {
    this.#cache.set(keys, { type, content: inMemoryOfItsOwn(content) }, content.length + OVERHEAD_BYTES);
  }
}

/** Node makes small buffers as parts of larger ones, and one kept part keeps all of the larger one. */
function inMemoryOfItsOwn(content: Uint8Array): Uint8Array {
  return content.buffer.byteLength > content.length + MOST_WASTED_BYTES ? new Uint8Array(content) : content;
}

function placeKey(packPath: string, offset: number): string {
  return `${offset} ${packPath}`;
}
