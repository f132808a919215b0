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

class SalvageReader {
  readonly size: number;
  readonly #pack: OpenFile;
  readonly #objects = new LruCache<GitObject>(CACHE_BYTES);
  readonly #offsets = new Map<Oid, number>();
  readonly #indexed: ReadonlyMap<number, Oid>;
  readonly #elsewhere: ObjectReader;
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
    const basis = await this.#basisOf(offset);
    if (basis === null) return null;
    let { content } = basis.object;
    for (const delta of basis.deltas.toReversed()) {
      const made = appliedTo(content, delta);
      if (made === null) return null;
      content = made;
    }
    const object = { type: basis.object.type, content: exactly(content) };
    const oid = objectId(object.type, object.content);
    if (basis.isGuess && oid !== this.#indexed.get(offset)) return null;
    this.#objects.set([`${offset}`], object, object.content.length);
    this.#offsets.set(oid, offset);
    return { oid, ...object };
  }

  /** The whole object on which an entry rests, and the deltas between the two, that of the entry first. */
  async #basisOf(offset: number): Promise<Basis | null> {
    const deltas: Uint8Array[] = [];
    const visited = new Set<number>();
    for (let place = offset; ; ) {
      const known = this.#objects.get(`${place}`);
      if (known) return { object: known, deltas, isGuess: false };
      const entry = visited.has(place) ? null : (await this.entry(place))?.entry;
      visited.add(place);
      if (!entry) {
        // The index may be damaged: the base that it names is verified by the result.
        const object = place === offset ? null : await this.#readElsewhere(this.#indexed.get(place));
        return object && { object, deltas, isGuess: true };
      }
      if (entry.kind === 'whole')
        return { object: { type: entry.type, content: entry.content }, deltas, isGuess: false };
      deltas.push(entry.delta);
      const base = await this.#baseOf(entry, place);
      if (typeof base !== 'number') return base && { object: base, deltas, isGuess: false };
      place = base;
    }
  }

  /** The offset of a delta's base, or the base itself if it lies elsewhere. */
  async #baseOf(entry: DeltaEntry, place: number): Promise<number | GitObject | null> {
    const isByOffset = entry.kind === 'offset_delta';
    const base = isByOffset ? place - entry.baseDistance : this.#offsets.get(entry.baseOid);
    if (base !== undefined && base >= PACK_HEADER_BYTES) return base;
    return isByOffset ? null : this.#readElsewhere(entry.baseOid);
  }

  async #readElsewhere(oid: Oid | undefined): Promise<GitObject | null> {
    try {
      return oid === undefined ? null : await this.#elsewhere.read(oid);
    } catch (error) {
      if (!isLost(error) && !isTooLarge(error)) throw error;
      return null;
    }
  }
}

type DeltaEntry = Exclude<PackEntry, { kind: 'whole' }>;

interface Basis {
  object: GitObject;
  deltas: Uint8Array[];
  /** True if an index named the object: it may be damaged. */
  isGuess: boolean;
}

function appliedTo(base: Uint8Array, delta: Uint8Array): Uint8Array | null {
  try {
    return applyDelta(base, delta);
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
