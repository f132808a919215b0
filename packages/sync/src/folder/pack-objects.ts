import { applyDelta, DeltaError, deltaSizes } from '@pagetree/wiki/delta';
import { CHECKSUM_BYTES, type ObjectType, type Oid, objectId } from '@pagetree/wiki/oid';
import { PACK_HEADER_BYTES, parsePackHeader } from '@pagetree/wiki/pack';
import { parsePackEntry } from '@pagetree/wiki/pack-entry';
import { yielding } from '@pagetree/wiki/yielding';
import { RemoteFailure } from '../transport/remote-failure.ts';

/** The objects of packs, by their ids. Contents are inflated when they are asked for; only the latest ones are kept. */
export class PackObjects {
  readonly #remote: string;
  readonly #places = new Map<Oid, Place>();
  readonly #kept = new Map<Place, Uint8Array>();
  #keptBytes = 0;
  #inflatedBytes = 0;

  /** @param remote the address of the remote, for messages. */
  constructor(remote: string) {
    this.#remote = remote;
  }

  has(oid: Oid): boolean {
    return this.#places.has(oid);
  }

  /** Null if there is no such object of this type. */
  read(oid: Oid, type: ObjectType): Uint8Array | null {
    const place = this.#places.get(oid);
    return place?.type === type ? this.#content(place) : null;
  }

  typeOf(oid: Oid): ObjectType | null {
    return this.#places.get(oid)?.type ?? null;
  }

  oids(): Oid[] {
    return [...this.#places.keys()];
  }

  /** Adds the objects of a whole pack. Throws RemoteFailure if it is damaged or too large, or a delta rests on another object. */
  async add(pack: Uint8Array, signal?: AbortSignal): Promise<void> {
    const yieldIfDue = yielding();
    const byOffset = await this.#scan(pack, signal);
    let waiting = [...byOffset.values()].filter(({ type }) => type === null);
    // Each pass resolves at least the deltas whose base is resolved already.
    for (let pass = 0; waiting.length > 0; pass += 1) {
      const left: Place[] = [];
      for (const place of waiting) {
        if (!this.#resolve(place, byOffset)) left.push(place);
        await yieldIfDue();
        signal?.throwIfAborted();
      }
      if (left.length === waiting.length || pass > MAX_DEPTH) throw this.#broken();
      waiting = left;
    }
  }

  /** Names all objects that are stored whole. Returns all entries by their offsets. */
  async #scan(pack: Uint8Array, signal: AbortSignal | undefined): Promise<Map<number, Place>> {
    const count = parsePackHeader(pack);
    if (typeof count !== 'number') throw this.#broken();
    if (count + this.#places.size > MAX_OBJECTS)
      throw new RemoteFailure('too_large', { remote: this.#remote, reason: 'objects' });
    const byOffset = new Map<number, Place>();
    const yieldIfDue = yielding();
    let offset = PACK_HEADER_BYTES;
    for (let number = 0; number < count; number += 1) {
      const { entry, length } = this.#entryAt(pack, offset);
      const place: Place = { pack, offset, base: null, type: null, depth: 0 };
      if (entry.kind === 'whole') {
        place.type = entry.type;
        this.#places.set(objectId(entry.type, entry.content), place);
      } else place.base = entry.kind === 'reference_delta' ? entry.baseOid : offset - entry.baseDistance;
      byOffset.set(offset, place);
      offset += length;
      await yieldIfDue();
      signal?.throwIfAborted();
    }
    if (offset !== pack.length - CHECKSUM_BYTES) throw this.#broken();
    return byOffset;
  }

  /** Names the object of a delta; false as long as its base has no name. */
  #resolve(place: Place, byOffset: ReadonlyMap<number, Place>): boolean {
    const base =
      typeof place.base === 'string' ? this.#places.get(place.base) : byOffset.get(Number(place.base));
    if (base === undefined || base.type === null) return false;
    Object.assign(place, { base, type: base.type, depth: base.depth + 1 });
    if (place.depth > MAX_DEPTH) throw this.#broken();
    this.#places.set(objectId(base.type, this.#content(place)), place);
    return true;
  }

  #content(place: Place): Uint8Array {
    const kept = this.#kept.get(place);
    if (kept !== undefined) return kept;
    const { entry } = this.#entryAt(place.pack, place.offset);
    const content = entry.kind === 'whole' ? entry.content : this.#applied(place.base as Place, entry.delta);
    this.#kept.set(place, content);
    this.#keptBytes += content.length;
    for (const [oldest, { length }] of this.#kept) {
      // The newest one stays whatever its size: the next delta may rest on it.
      if (this.#keptBytes <= MAX_KEPT_BYTES || oldest === place) break;
      this.#kept.delete(oldest);
      this.#keptBytes -= length;
    }
    return content;
  }

  #applied(base: Place, delta: Uint8Array): Uint8Array {
    try {
      const { result } = deltaSizes(delta);
      if (result > MAX_OBJECT_BYTES) throw this.#tooLarge(MAX_OBJECT_BYTES);
      this.#count(result);
      return applyDelta(this.#content(base), delta);
    } catch (error) {
      throw error instanceof DeltaError ? this.#broken() : error;
    }
  }

  #entryAt(pack: Uint8Array, offset: number) {
    const parsed = parsePackEntry(pack.subarray(offset, pack.length - CHECKSUM_BYTES), MAX_OBJECT_BYTES);
    if (parsed.outcome === 'too large') throw this.#tooLarge(MAX_OBJECT_BYTES);
    if (parsed.outcome !== 'parsed') throw this.#broken();
    const { entry } = parsed;
    this.#count((entry.kind === 'whole' ? entry.content : entry.delta).length);
    return parsed;
  }

  /** A few bytes can be inflated to a thousand times as many, and are inflated again when they are asked for. */
  #count(bytes: number): void {
    this.#inflatedBytes += bytes;
    if (this.#inflatedBytes > MAX_INFLATED_BYTES) throw this.#tooLarge(MAX_INFLATED_BYTES);
  }

  #broken(): RemoteFailure {
    return new RemoteFailure('broken', { remote: this.#remote, reason: 'no_pack' });
  }

  #tooLarge(maxBytes: number): RemoteFailure {
    return new RemoteFailure('too_large', { remote: this.#remote, reason: 'pack', maxBytes });
  }
}

interface Place {
  pack: Uint8Array;
  offset: number;
  /** Where its delta rests: until it is resolved, by oid or by offset. */
  base: Place | Oid | number | null;
  /** Null until its delta is resolved. */
  type: ObjectType | null;
  depth: number;
}

/** Git makes 50 at most. */
const MAX_DEPTH = 64;
const MAX_KEPT_BYTES = 32_000_000;
/** Each takes some 200 bytes of memory, however small it is. */
const MAX_OBJECTS = 500_000;
const MAX_OBJECT_BYTES = 100_000_000;
const MAX_INFLATED_BYTES = 4_000_000_000;
