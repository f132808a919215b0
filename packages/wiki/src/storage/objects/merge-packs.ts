import { setImmediate } from 'node:timers/promises';
import type { Oid } from '../storage.ts';
import { deflateAside } from './deflate.ts';
import { encodeDelta } from './delta-encoder.ts';
import { PackBuilder } from './pack-builder.ts';
import type { SourceEntry } from './pack-source.ts';
import { LEVELS } from './pack-writer.ts';
import { readingOrder } from './reading-order.ts';

/**
 * One pack of all objects of these packs, each once. What is compressed is copied. A page or folder that is
 * whole, and of which a newer version is here, is stored as its difference to that where this takes less than
 * half: so what is newest stays cheapest to read, and no version is more than some steps from a whole one.
 */
export async function mergePacks(
  sources: readonly (readonly SourceEntry[])[],
): Promise<{ packBytes: Uint8Array; indexBytes: Uint8Array }> {
  const entries = new Map<Oid, SourceEntry>();
  for (const entry of sources.flat()) if (!entries.has(entry.oid)) entries.set(entry.oid, entry);
  const merger = new Merger(entries);
  for (const { entry, path } of await readingOrder(entries)) {
    await merger.add(entry, path);
    // Beside a write: each step waits for whatever that has to do next.
    await setImmediate();
  }
  return merger.finish();
}

class Merger {
  readonly #entries: ReadonlyMap<Oid, SourceEntry>;
  readonly #builder = new PackBuilder();
  /** How many differences lie between an object and a whole one. */
  readonly #depths = new Map<Oid, number>();
  /** By path: the newest whole version, and the one that was added last. */
  readonly #versions = new Map<string, { whole: SourceEntry; last: SourceEntry }>();

  constructor(entries: ReadonlyMap<Oid, SourceEntry>) {
    this.#entries = entries;
  }

  /** `path` is null where the object has no newer versions to be compared with. */
  async add(entry: SourceEntry, path: string | null): Promise<void> {
    const { oid, type, content } = entry;
    if (this.#depths.has(oid)) return;
    const key = path === null ? null : `${type} ${path}`;
    if (entry.delta) {
      const base = this.#entries.get(entry.delta.base);
      if (base) await this.add(base, null);
      this.#addDelta(entry, entry.delta.base, entry.delta.length, entry.compressed);
    } else if (key === null || !(await this.#addBelowNewer(entry, key))) {
      this.#builder.addWhole(oid, type, content.length, await compressed(entry));
      this.#depths.set(oid, 0);
      if (key !== null) this.#versions.set(key, { whole: entry, last: entry });
    }
  }

  finish(): { packBytes: Uint8Array; indexBytes: Uint8Array } {
    return this.#builder.finish();
  }

  async #addBelowNewer(entry: SourceEntry, key: string): Promise<boolean> {
    const versions = this.#versions.get(key);
    if (!versions) return false;
    const { whole, last } = versions;
    const base = (this.#depths.get(last.oid) ?? 0) < MOST_DEPTH ? last : whole;
    const delta = await deltaBelow(entry, base);
    if (!delta) return false;
    this.#addDelta(entry, base.oid, delta.length, delta.compressed);
    versions.last = entry;
    return true;
  }

  #addDelta(entry: SourceEntry, base: Oid, length: number, compressed: Uint8Array): void {
    this.#builder.addDelta(entry.oid, base, length, compressed);
    this.#depths.set(entry.oid, (this.#depths.get(base) ?? 0) + 1);
  }
}

const MOST_DEPTH = 10;
/** A difference between larger objects takes longer to find than it is worth. */
const MOST_DELTA_CONTENT = 2 ** 20;

/** What a write only stored, because its writer waited, is compressed now. */
async function compressed(entry: SourceEntry): Promise<Uint8Array> {
  const isStored = entry.compressed.length > entry.content.length;
  return isStored ? deflateAside(entry.content, LEVELS[entry.type]) : entry.compressed;
}

async function deltaBelow(
  entry: SourceEntry,
  newer: SourceEntry,
): Promise<{ length: number; compressed: Uint8Array } | null> {
  if (Math.max(entry.content.length, newer.content.length) > MOST_DELTA_CONTENT) return null;
  const delta = encodeDelta(newer.content, entry.content, entry.content.length / 2);
  if (delta === null) return null;
  const compressed = await deflateAside(delta);
  return compressed.length < entry.compressed.length / 2 ? { length: delta.length, compressed } : null;
}
