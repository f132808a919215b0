import { BEGINNING, type PackPlace } from '../../core/transport-port.ts';
import { deflateAside } from '../../formats/deflate.ts';
import { EMPTY_TREE, type Oid } from '../../formats/oid.ts';
import { encodeDelta } from '../../formats/packs/delta-encoder.ts';
import { entryHeader, referenceHeader } from '../../formats/packs/pack-entry.ts';
import { packLevels } from '../../formats/packs/pack-levels.ts';
import { yielding } from '../../scheduling/yielding.ts';
import type { ObjectReader, PackedEntries, PackedEntry } from '../../storage/storage.ts';
import type { SentObject } from './list-objects.ts';

export interface PartOptions {
  reader: ObjectReader;
  /** The entries of packs, to be copied; null if the fetch is too small for that. */
  packed: PackedEntries | null;
  objects: readonly SentObject[];
  /** The number of each object, by its oid. */
  numbers: ReadonlyMap<Oid, number>;
}

/**
 * The entries of objects from a place on, in at most `mostBytes`. An entry that has more comes in pieces. Null if a pack
 * is gone.
 *
 * Deltas never rest on one another in a circle, whatever happens to packs between two parts. Where the packs are others
 * than before, no delta rests on an object before that place any more, so no way leads back there. From one set of packs
 * copied deltas rest on one another as they do there, a delta that is made here rests on what comes before, and no
 * copied one rests on an object that is in none of these packs. If packs change between two pieces of an entry, these
 * need not fit, and git refuses the pack.
 */
export async function encodePart(
  options: PartOptions,
  from: PackPlace,
  mostBytes: number,
): Promise<{ entries: Uint8Array; next: PackPlace } | null> {
  const packs = options.packed?.packs ?? BEGINNING.copied.packs;
  const copied = from.copied.packs === packs ? from.copied : { packs, since: from.object };
  const parts: Uint8Array[] = [];
  const encoder = new EntryEncoder(options, copied.since);
  const pause = yielding(TURN_MS);
  let left = mostBytes;
  let [number, byte] = [from.object, from.byte];
  let entries: Found[] = [];
  for (let at = 0; number < options.objects.length; at += 1) {
    if (at === entries.length) {
      const read = await readEntries(options, number, left);
      if (read === null) return null;
      [entries, at] = [read, 0];
    }
    const pieces = await encoder.encode(number, entries[at] ?? null);
    // Below 0 only for a place that was made up, or whose entry became shorter: it must not make room for more.
    const bytes = Math.max(0, pieces[0].length + pieces[1].length - byte);
    if (bytes > left && parts.length > 0) break;
    if (byte === 0 && bytes <= left) parts.push(...pieces);
    else parts.push(Buffer.concat(pieces).subarray(byte, byte + left));
    if (bytes > left) {
      byte += left;
      break;
    }
    left -= bytes;
    number += 1;
    byte = 0;
    const pausing = pause();
    if (pausing !== undefined) await pausing;
  }
  return { entries: Buffer.concat(parts), next: { object: number, byte, copied } };
}

/** What packs have of an object: see PackedEntries. */
type Found = PackedEntry | 'damaged' | null;
type Pieces = [header: Uint8Array, body: Uint8Array];

/** The entries in packs from a number on, as many as there is room for. */
async function readEntries(
  { packed, objects }: PartOptions,
  from: number,
  room: number,
): Promise<Found[] | null> {
  if (packed === null) return [null];
  const oids = objects.slice(from, from + MAX_BATCH).map(({ oid }) => oid);
  return packed.read(oids, room);
}

class EntryEncoder {
  readonly #options: PartOptions;
  readonly #since: number;
  readonly #levelOf = packLevels();

  constructor(options: PartOptions, since: number) {
    this.#options = options;
    this.#since = since;
  }

  async encode(number: number, found: Found): Promise<Pieces> {
    const { objects, numbers } = this.#options;
    const object = objects[number];
    if (object === undefined) throw new RangeError(`There is no object ${number}.`);
    if (found !== null && found !== 'damaged' && this.#isSent(found.base)) return copiedFrom(found);
    const place = object.basis === null ? undefined : numbers.get(object.basis);
    // Where it is not sent, the client has it.
    const isBefore = found === null && place !== undefined && place >= this.#since && place < number;
    return this.#made(object, place === undefined || isBefore ? object.basis : null);
  }

  /** True for no base at all. */
  #isSent(base: Oid | null): boolean {
    return base === null || (this.#options.numbers.get(base) ?? -1) >= this.#since;
  }

  /** Made of the content. */
  async #made({ oid, type }: SentObject, basis: Oid | null): Promise<Pieces> {
    const { reader } = this.#options;
    const content = await contentOf(reader, oid);
    const delta = basis === null || type === 'commit' ? null : await deltaOf(reader, basis, content);
    const data = delta ?? content;
    const compressed = await deflateAside(data, this.#levelOf(type, data));
    if (delta === null || basis === null) return [entryHeader(type, content.length), compressed];
    return [referenceHeader(basis, delta.length), compressed];
  }
}

function copiedFrom({ type, base, size, compressed }: PackedEntry): Pieces {
  return [base === null ? entryHeader(type ?? 'blob', size) : referenceHeader(base, size), compressed];
}

/** Null if the object takes less room whole. */
async function deltaOf(reader: ObjectReader, basis: Oid, content: Uint8Array): Promise<Uint8Array | null> {
  if (content.length < MIN_BYTES || content.length > MAX_BYTES) return null;
  const base = await contentOf(reader, basis);
  if (base.length > MAX_BYTES) return null;
  return encodeDelta(base, content, Math.floor(content.length / 2));
}

async function contentOf(reader: ObjectReader, oid: Oid): Promise<Uint8Array> {
  return oid === EMPTY_TREE ? NOTHING : (await reader.read(oid)).content;
}

const NOTHING = new Uint8Array();
const TURN_MS = 20;
/** So many objects are looked for in packs at once. */
const MAX_BATCH = 8_000;
/** A delta names its base by 20 bytes. */
const MIN_BYTES = 60;
/** To compare larger ones would hold up other calls. */
const MAX_BYTES = 2_000_000;
