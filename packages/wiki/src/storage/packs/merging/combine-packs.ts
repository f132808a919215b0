import { deflateAside } from '../../../formats/deflate.ts';
import type { Oid } from '../../../formats/oid.ts';
import { encodeDelta } from '../../../formats/packs/delta-encoder.ts';
import { LEVELS } from '../../../formats/packs/pack.ts';
import { PackBuilder } from '../../../formats/packs/pack-builder.ts';
import { type Yield, yielding } from '../../../scheduling/yielding.ts';
import type { SourceEntry } from './pack-source.ts';
import { readingOrder } from './reading-order.ts';

/**
 * Combines all objects of these packs, each once, into one pack. Compressed data is copied. If a page or
 * folder is stored whole and a newer version of it is here, it is stored as a delta against the newer one,
 * provided that this takes less than half the bytes. So the newest versions stay cheapest to read, and every
 * version is at most a few deltas from a whole one.
 */
export async function mergePacks(
  sources: readonly (readonly SourceEntry[])[],
  pause: Yield = yielding(TURN_MS),
): Promise<{ packBytes: Uint8Array; indexBytes: Uint8Array }> {
  const entries = new Map<Oid, SourceEntry>();
  for (const entry of sources.flat()) if (!entries.has(entry.oid)) entries.set(entry.oid, entry);
  const merger = new Merger(entries);
  for (const { entry, path } of await readingOrder(entries, pause)) {
    await merger.add(entry, path);
    await pause();
  }
  return merger.finish();
}

class Merger {
  readonly #entries: ReadonlyMap<Oid, SourceEntry>;
  readonly #builder = new PackBuilder();
  /** The number of deltas between an object and a whole one. */
  readonly #depths = new Map<Oid, number>();
  /** By path: the newest whole version, and the version that was added last. */
  readonly #versions = new Map<string, { whole: SourceEntry; last: SourceEntry }>();
  #lastCompressed: { entry: SourceEntry; bytes: Uint8Array } | null = null;

  constructor(entries: ReadonlyMap<Oid, SourceEntry>) {
    this.#entries = entries;
  }

  /** `path` is null if the object has no newer versions to be compared with. */
  async add(entry: SourceEntry, path: string | null): Promise<void> {
    if (this.#depths.has(entry.oid)) return;
    const key = path === null ? null : `${entry.type} ${path}`;
    if (entry.delta) {
      for (const each of this.#unaddedChain(entry)) await this.#addAsStored(each);
    } else if (key === null || !(await this.#addBelowNewer(entry, key))) {
      await this.#addAsStored(entry);
      if (key !== null) this.#versions.set(key, { whole: entry, last: entry });
    }
  }

  finish(): { packBytes: Uint8Array; indexBytes: Uint8Array } {
    return this.#builder.finish();
  }

  /** The entry and what it rests on, as far as that is not here yet, each base before its delta. */
  #unaddedChain(entry: SourceEntry): SourceEntry[] {
    const chain: SourceEntry[] = [];
    for (let next: SourceEntry | undefined = entry; next && !this.#depths.has(next.oid); ) {
      chain.push(next);
      next = next.delta ? this.#entries.get(next.delta.base) : undefined;
    }
    return chain.reverse();
  }

  async #addAsStored(entry: SourceEntry): Promise<void> {
    const { oid, type, content, delta } = entry;
    if (delta) {
      this.#addDelta(entry, delta.base, delta.length, entry.compressed);
      return;
    }
    this.#builder.addWhole(oid, type, content.length, await this.#compressed(entry));
    this.#depths.set(oid, 0);
  }

  async #addBelowNewer(entry: SourceEntry, key: string): Promise<boolean> {
    const versions = this.#versions.get(key);
    if (!versions) return false;
    const { whole, last } = versions;
    const base = (this.#depths.get(last.oid) ?? 0) < MAX_DEPTH ? last : whole;
    const delta = deltaBelow(entry, base);
    if (delta === null) return false;
    const compressed = await deflateAside(delta);
    if (!(await this.#takesLessThanHalf(compressed, entry))) return false;
    this.#addDelta(entry, base.oid, delta.length, compressed);
    versions.last = entry;
    return true;
  }

  async #takesLessThanHalf(compressedDelta: Uint8Array, entry: SourceEntry): Promise<boolean> {
    const { length } = compressedDelta;
    if (isStored(entry) && length * SURELY_LESS < entry.content.length) return true;
    return length < (await this.#compressed(entry)).length / 2;
  }

  /** Compresses data that a write only stored because its writer waited. Done once. */
  async #compressed(entry: SourceEntry): Promise<Uint8Array> {
    if (!isStored(entry)) return entry.compressed;
    if (this.#lastCompressed?.entry !== entry) {
      this.#lastCompressed = { entry, bytes: await deflateAside(entry.content, LEVELS[entry.type]) };
    }
    return this.#lastCompressed.bytes;
  }

  #addDelta(entry: SourceEntry, base: Oid, length: number, compressed: Uint8Array): void {
    this.#builder.addDelta(entry.oid, base, length, compressed);
    this.#depths.set(entry.oid, (this.#depths.get(base) ?? 0) + 1);
  }
}

/** Most steps of a write between two waits for the disk are shorter. */
export const TURN_MS = 0.25;
const MAX_DEPTH = 10;
/** A delta between larger objects takes longer to find than it saves. */
const MAX_DELTA_CONTENT = 2 ** 20;

/** Content is hardly ever compressed to less than an eighth, and a delta must take less than half of that. */
const SURELY_LESS = 16;

function isStored({ compressed, content }: SourceEntry): boolean {
  return compressed.length > content.length;
}

function deltaBelow({ content }: SourceEntry, newer: SourceEntry): Uint8Array | null {
  if (Math.max(content.length, newer.content.length) > MAX_DELTA_CONTENT) return null;
  return encodeDelta(newer.content, content, content.length / 2);
}
