import { deflateSync } from 'node:zlib';
import { type GitObject, type Oid, objectId } from '../../../formats/oid.ts';
import { applyDelta, DeltaError } from '../../../formats/packs/delta.ts';
import { PACK_HEADER_BYTES } from '../../../formats/packs/pack.ts';
import { type PackEntry, type ParsedEntry, parsePackEntry } from '../../../formats/packs/pack-entry.ts';
import { guessPackIndex, LARGE_OFFSET } from '../../../formats/packs/pack-index.ts';
import type { FileSystem, OpenFile } from '../../files/file-system.ts';
import { LruCache } from '../../files/lru-cache.ts';
import { unlessMissing } from '../../files/unless-gone.ts';
import { readWholeFile } from '../../files/whole-file.ts';
import type { SourceEntry } from '../../packs/merging/pack-source.ts';
import type { ObjectReader } from '../../storage.ts';
import { isLost, isTooLarge } from '../../storage-error.ts';

/** The progress of salvaging a pack. */
export interface SalvageProgress {
  /** All entries before this offset were read. */
  offset: number;
  /** Those of them that rest on an object that was not read yet, or is lost. */
  left: number[];
  /** The number of those at the end of `left` that were tried since the last one that could be read. */
  tried: number;
}

export function beginSalvage(): SalvageProgress {
  return { offset: PACK_HEADER_BYTES, left: [], tried: 0 };
}

export interface SalvagedObject extends GitObject {
  oid: Oid;
}

/**
 * Every object of a damaged pack that can still be read, and null for each entry that cannot, or not yet; the
 * base of a delta may be read `elsewhere`. Each object gets the oid of its actual content, so it cannot be
 * taken for another one. If the index is damaged too, everything after the first damaged entry is lost.
 * `progress` is updated, and another call goes on from it; by then, the objects already returned must be
 * readable elsewhere.
 */
export async function* salvagePack(
  fs: FileSystem,
  path: string,
  elsewhere: ObjectReader,
  progress: SalvageProgress = beginSalvage(),
): AsyncGenerator<SalvagedObject | null> {
  const pack = await fs.open(`${path}.pack`, 'r');
  try {
    const indexed = await indexedPlaces(fs, `${path}.idx`);
    const reader = new SalvageReader(pack, await pack.size(), indexed, elsewhere);
    for await (const { offset, isWhole } of entriesIn(reader, [...indexed.keys()], progress.offset)) {
      const object = isWhole ? await reader.object(offset) : null;
      progress.offset = offset;
      if (isWhole && !object && !progress.left.includes(offset)) progress.left.push(offset);
      yield object;
    }
    progress.offset = reader.size;
    // A delta may come before its base: git puts bases that a push left out last.
    for (const { left } = progress; progress.tried < left.length; ) {
      const [offset = 0] = left;
      const object = await reader.object(offset);
      yield object;
      left.shift();
      if (!object) left.push(offset);
      progress.tried = object ? 0 : progress.tried + 1;
    }
  } finally {
    await pack.close();
  }
}

/**
 * The offsets of entries, and whether their bytes are whole. `known` holds the offsets according to the index.
 */
async function* entriesIn(
  reader: SalvageReader,
  known: readonly number[],
  from: number,
): AsyncGenerator<{ offset: number; isWhole: boolean }> {
  if (from >= reader.size) return;
  for (let offset = from, at = 0; ; ) {
    const parsed = await reader.entry(offset);
    yield { offset, isWhole: parsed !== null };
    // Entries lie one after another. Behind a damaged entry only the index knows where the next one begins.
    while (at < known.length && (known[at] ?? 0) <= offset) at += 1;
    const next = parsed ? offset + parsed.length : known[at];
    if (next === undefined || next >= reader.size) return;
    offset = next;
  }
}

type Parsed = Extract<ParsedEntry, { outcome: 'parsed' }>;

const FIRST_READ_BYTES = 16 * 1024;
const CACHE_BYTES = 32 * 1024 * 1024;
/** More than readers accept: an object that a repair does not copy is lost. */
const MAX_SALVAGED_BYTES = 2 ** 31;
/** Each has more deltas to apply than the one before. As many as objects that rest on one another in a pack of git. */
const MAX_COPIES_TRIED = 50;

class SalvageReader {
  readonly size: number;
  readonly #pack: OpenFile;
  readonly #objects = new LruCache<GitObject>(CACHE_BYTES);
  readonly #offsets = new Map<Oid, number>();
  readonly #indexed: ReadonlyMap<number, Oid>;
  readonly #elsewhere: ObjectReader;
  /** Not looked for again: many entries may rest on one of them. What this reader makes is found by its offset. */
  readonly #missing = new Set<Oid>();
  /** Reused by every read: new buffers would fill the memory faster than it is collected. */
  #bytes = Buffer.allocUnsafeSlow(FIRST_READ_BYTES);

  constructor(pack: OpenFile, size: number, indexed: ReadonlyMap<number, Oid>, elsewhere: ObjectReader) {
    this.#pack = pack;
    this.size = size;
    this.#indexed = indexed;
    this.#elsewhere = elsewhere;
  }

  /** Null if there is no entry or it is damaged. */
  async entry(offset: number): Promise<Parsed | null> {
    for (let length = FIRST_READ_BYTES; ; ) {
      const wanted = Math.max(0, Math.min(length, this.size - offset));
      if (wanted > this.#bytes.length) this.#bytes = Buffer.allocUnsafeSlow(wanted);
      const read = await this.#pack.read(this.#bytes, 0, wanted, offset);
      const parsed = parsePackEntry(this.#bytes.subarray(0, read), MAX_SALVAGED_BYTES);
      if (parsed.outcome === 'parsed') return parsed;
      if (parsed.outcome !== 'truncated' || offset + length >= this.size) return null;
      length = Math.max(parsed.bytesNeeded, length * 2);
    }
  }

  /** Null if it rests on an object that is lost or was not read yet. */
  async object(offset: number): Promise<SalvagedObject | null> {
    const line = await this.#lineOf(offset);
    const made = (line.basis && appliedTo(line.basis, line.deltas)) ?? (await this.#fromCopy(offset, line));
    if (made === null) return null;
    const object = { type: made.type, content: exactly(made.content) };
    const oid = objectId(object.type, object.content);
    this.#objects.set([`${offset}`], object, object.content.length);
    this.#offsets.set(oid, offset);
    return { oid, ...object };
  }

  /** The entries on which an entry rests, up to a whole object. */
  async #lineOf(offset: number): Promise<Line> {
    const deltas: Uint8Array[] = [];
    const places = new Set<number>();
    for (let place = offset; ; ) {
      const known = this.#objects.get(`${place}`);
      if (known) return { basis: known, deltas, places };
      const entry = places.has(place) ? null : (await this.entry(place))?.entry;
      places.add(place);
      if (!entry) return { basis: null, deltas, places };
      if (entry.kind === 'whole')
        return { basis: { type: entry.type, content: entry.content }, deltas, places };
      deltas.push(entry.delta);
      const base = await this.#baseOf(entry, place);
      if (typeof base !== 'number') return { basis: base, deltas, places };
      place = base;
    }
  }

  /**
   * The object, made of the copy of a base that is elsewhere under the name that the index gives it. The index may be
   * damaged, so the result must have the name that it gives the object.
   */
  async #fromCopy(offset: number, { places, deltas }: Line): Promise<GitObject | null> {
    const oid = this.#indexed.get(offset);
    if (oid === undefined) return null;
    let tried = 0;
    for (const [at, place] of [...places].entries()) {
      const copy = at === 0 ? null : await this.#readElsewhere(this.#indexed.get(place));
      if (copy === null) continue;
      const made = appliedTo(copy, deltas.slice(0, at));
      if (made && objectId(made.type, made.content) === oid) return made;
      tried += 1;
      if (tried === MAX_COPIES_TRIED) return null;
    }
    return null;
  }

  /** The offset of a delta's base, or the base itself if it lies elsewhere. */
  async #baseOf(entry: DeltaEntry, place: number): Promise<number | GitObject | null> {
    const isByOffset = entry.kind === 'offset_delta';
    const base = isByOffset ? place - entry.baseDistance : this.#offsets.get(entry.baseOid);
    if (base !== undefined && base >= PACK_HEADER_BYTES) return base;
    return isByOffset ? null : this.#readElsewhere(entry.baseOid);
  }

  async #readElsewhere(oid: Oid | undefined): Promise<GitObject | null> {
    if (oid === undefined || this.#missing.has(oid)) return null;
    try {
      return await this.#elsewhere.read(oid);
    } catch (error) {
      if (!isLost(error) && !isTooLarge(error)) throw error;
      this.#missing.add(oid);
      return null;
    }
  }
}

type DeltaEntry = Exclude<PackEntry, { kind: 'whole' }>;

interface Line {
  /** Null if it is lost, or was not read yet. */
  basis: GitObject | null;
  /** The deltas between the two, that of the entry first. */
  deltas: readonly Uint8Array[];
  /** The offsets of the entries, that of the entry itself first. */
  places: ReadonlySet<number>;
}

/** Null if the deltas were made for another object. */
function appliedTo({ type, content }: GitObject, deltas: readonly Uint8Array[]): GitObject | null {
  try {
    return { type, content: deltas.reduceRight((base, delta) => applyDelta(base, delta), content) };
  } catch (error) {
    if (error instanceof DeltaError) return null;
    throw error;
  }
}

/** The object as it is copied into another pack. */
export function compressedEntry({ oid, type, content }: SalvagedObject): SourceEntry {
  return { oid, type, content, compressed: exactly(deflateSync(content)), delta: null };
}

/**
 * A copy with memory of its own: zlib returns a part of a larger buffer, and a reference to the part keeps the
 * whole buffer in memory.
 */
function exactly(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

/**
 * The offsets of entries, in order, with their oids, according to an index. It may be damaged, so each is
 * only a guess.
 */
async function indexedPlaces(fs: FileSystem, path: string): Promise<Map<number, Oid>> {
  const places = guessPackIndex((await unlessMissing(() => readWholeFile(fs, path))) ?? new Uint8Array());
  const small = places.filter(({ offset }) => offset < LARGE_OFFSET).sort((a, b) => a.offset - b.offset);
  return new Map(small.map(({ offset, oid }) => [offset, oid]));
}
