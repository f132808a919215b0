import { deflateSync } from 'node:zlib';
import { errorName, type FileSystem, type OpenFile } from '../files/file-system.ts';
import { LruCache } from '../files/lru-cache.ts';
import { readWholeFile } from '../files/whole-file.ts';
import { applyDelta, DeltaError } from '../objects/delta.ts';
import { objectId } from '../objects/object-id.ts';
import { type ParsedEntry, parsePackEntry } from '../objects/pack-entry.ts';
import { LARGE_OFFSET, OIDS_AT } from '../objects/pack-index-layout.ts';
import type { SourceEntry } from '../objects/pack-source.ts';
import { PACK_HEADER_LENGTH } from '../objects/pack-writer.ts';
import type { GitObject, ObjectReader, Oid } from '../storage.ts';
import { isLost } from '../storage-error.ts';

/**
 * Every object of a damaged pack that can still be read; what a difference rests on may be read `elsewhere`. Each gets
 * the oid of what it holds, so that none is other than it was. Where the index is damaged too, what comes after the
 * first damaged entry is lost.
 */
export async function* salvagePack(
  fs: FileSystem,
  path: string,
  elsewhere: ObjectReader,
): AsyncGenerator<SourceEntry> {
  const pack = await fs.open(`${path}.pack`, 'r');
  try {
    const indexed = await indexedPlaces(fs, `${path}.idx`);
    const reader = new SalvageReader(pack, await pack.size(), indexed, elsewhere);
    let offsets: AsyncIterable<number> | number[] = readableOffsets(reader, [...indexed.keys()]);
    // A delta may come before its base: git puts those last that a push left out.
    for (let leftBefore = Number.POSITIVE_INFINITY; ; ) {
      const left: number[] = [];
      for await (const offset of offsets) {
        const object = await reader.object(offset);
        if (object) yield sourceEntry(object);
        else left.push(offset);
      }
      if (left.length === 0 || left.length === leftBefore) return;
      leftBefore = left.length;
      offsets = left;
    }
  } finally {
    await pack.close();
  }
}

/** Where the entries begin of which the bytes are whole. `known` is where the index says that they begin. */
async function* readableOffsets(reader: SalvageReader, known: readonly number[]): AsyncGenerator<number> {
  for (let offset = PACK_HEADER_LENGTH, at = 0; ; ) {
    const parsed = await reader.entry(offset);
    if (parsed) yield offset;
    // Entries lie one after another. Behind one that is damaged only the index knows where the next begins.
    while (at < known.length && (known[at] ?? 0) <= offset) at += 1;
    const next = parsed ? offset + parsed.length : known[at];
    if (next === undefined || next >= reader.size) return;
    offset = next;
  }
}

type Parsed = Extract<ParsedEntry, { outcome: 'parsed' }>;

const FIRST_READ_BYTES = 16 * 1024;
const CACHE_BYTES = 32 * 1024 * 1024;

class SalvageReader {
  readonly size: number;
  readonly #pack: OpenFile;
  readonly #objects = new LruCache<GitObject>(CACHE_BYTES);
  readonly #offsets = new Map<Oid, number>();
  readonly #indexed: ReadonlyMap<number, Oid>;
  readonly #elsewhere: ObjectReader;

  constructor(pack: OpenFile, size: number, indexed: ReadonlyMap<number, Oid>, elsewhere: ObjectReader) {
    this.#pack = pack;
    this.size = size;
    this.#indexed = indexed;
    this.#elsewhere = elsewhere;
  }

  /** Null where there is none, or a damaged one. */
  async entry(offset: number): Promise<Parsed | null> {
    for (let length = FIRST_READ_BYTES; ; ) {
      const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, this.size - offset)));
      const read = await this.#pack.read(bytes, 0, bytes.length, offset);
      const parsed = parsePackEntry(bytes.subarray(0, read));
      if (parsed.outcome === 'parsed') return parsed;
      if (parsed.outcome === 'corrupt' || offset + length >= this.size) return null;
      length = Math.max(parsed.bytesNeeded, length * 2);
    }
  }

  /** Null where it rests on something that is lost, or that was not met yet. */
  async object(offset: number): Promise<GitObject | null> {
    const deltas: Uint8Array[] = [];
    const visited = new Set<number>();
    let place = offset;
    let isGuess = false;
    let object = this.#objects.get(`${place}`) ?? null;
    while (object === null) {
      const entry = visited.has(place) ? null : (await this.entry(place))?.entry;
      visited.add(place);
      if (!entry) {
        // The index may be damaged: what it says of the base is proved by what comes of it.
        isGuess = true;
        object = place === offset ? null : await this.#readElsewhere(this.#indexed.get(place));
        if (object === null) return null;
      } else if (entry.kind === 'whole') object = { type: entry.type, content: entry.content };
      else {
        deltas.push(entry.delta);
        const base =
          entry.kind === 'offset_delta' ? place - entry.baseDistance : this.#offsets.get(entry.baseOid);
        if (base !== undefined && base >= PACK_HEADER_LENGTH) {
          place = base;
          object = this.#objects.get(`${place}`) ?? null;
        } else {
          object = entry.kind === 'offset_delta' ? null : await this.#readElsewhere(entry.baseOid);
          if (object === null) return null;
        }
      }
    }
    for (const delta of deltas.reverse()) {
      const content = appliedTo(object.content, delta);
      if (content === null) return null;
      object = { type: object.type, content };
    }
    const oid = objectId(object.type, object.content);
    if (isGuess && oid !== this.#indexed.get(offset)) return null;
    this.#objects.set([`${offset}`], object, object.content.length);
    this.#offsets.set(oid, offset);
    return object;
  }

  async #readElsewhere(oid: Oid | undefined): Promise<GitObject | null> {
    try {
      return oid === undefined ? null : await this.#elsewhere.read(oid);
    } catch (error) {
      if (!isLost(error)) throw error;
      return null;
    }
  }
}

function appliedTo(base: Uint8Array, delta: Uint8Array): Uint8Array | null {
  try {
    return applyDelta(base, delta);
  } catch (error) {
    if (error instanceof DeltaError) return null;
    throw error;
  }
}

function sourceEntry({ type, content }: GitObject): SourceEntry {
  return { oid: objectId(type, content), type, content, compressed: deflateSync(content), delta: null };
}

/** Where an index says that entries begin, in order, and of what; it may be damaged, so that each is only a guess. */
async function indexedPlaces(fs: FileSystem, path: string): Promise<Map<number, Oid>> {
  const index = Buffer.from(await readIfThere(fs, path));
  const count = index.length < OIDS_AT ? 0 : index.readUInt32BE(OIDS_AT - 4);
  const from = OIDS_AT + count * 24;
  if (index.length < from + count * 4) return new Map();
  const places = Array.from({ length: count }, (_, at) => ({
    offset: index.readUInt32BE(from + at * 4),
    oid: index.toString('hex', OIDS_AT + at * 20, OIDS_AT + at * 20 + 20),
  }));
  const small = places.filter(({ offset }) => offset < LARGE_OFFSET).sort((a, b) => a.offset - b.offset);
  return new Map(small.map(({ offset, oid }) => [offset, oid]));
}

/** Empty where there is no such file. */
async function readIfThere(fs: FileSystem, path: string): Promise<Uint8Array> {
  try {
    return await readWholeFile(fs, path);
  } catch (error) {
    if (errorName(error) !== 'ENOENT') throw error;
    return new Uint8Array();
  }
}
