import { mostBytes } from '../../../formats/deflate.ts';
import { inflateAside, inflateBeginning } from '../../../formats/inflate.ts';
import { CHECKSUM_BYTES, type GitObject, type Oid } from '../../../formats/oid.ts';
import { applyDelta, DeltaError, deltaSizes } from '../../../formats/packs/delta.ts';
import { PACK_HEADER_BYTES } from '../../../formats/packs/pack.ts';
import { type PackEntry, parseEntryHeader, parsePackEntry } from '../../../formats/packs/pack-entry.ts';
import { parseSmallPack, SMALL_PACK_BYTES } from '../../../formats/packs/small-pack.ts';
import { yielding } from '../../../scheduling/yielding.ts';
import type { OpenFile } from '../../files/file-system.ts';
import type { LruCache } from '../../files/lru-cache.ts';
import type { OpenFiles } from '../../files/open-files.ts';
import { StorageError } from '../../storage-error.ts';
import { objectIdInTurns } from '../hash-in-turns.ts';
import { OBJECT_BOUNDS, objectTooLarge, requireBounded, tooManyBytes } from '../object-bounds.ts';
import type { ObjectCache } from '../object-cache.ts';
import { PackIndex } from './pack-index-file.ts';
import { PackWindow, readBytes } from './pack-window.ts';

/** Resources shared by the packs of one store. */
export interface PackResources {
  files: OpenFiles;
  objects: ObjectCache;
  indexPages: LruCache<Uint8Array>;
}

const TURN_MS = 20;
const LARGE_BYTES = 2 ** 20;
const NOTHING = new Uint8Array(0);
/** The length of the header of an entry, with room to spare. */
const MAX_HEADER_BYTES = 64;
/**
 * The number of delta bases to cache. A chain of deltas may be 50 long. Only the nearest bases are likely to
 * be needed by the next read; keeping all would push everything else out of the cache.
 */
const BASES_KEPT = 3;

/** All objects of a small pack, or the index of a large one. */
type Entries = ReadonlyMap<Oid, number> | PackIndex;

/**
 * One pack, opened on first use. A small pack is read whole, without its index; a large one is read by
 * position. Methods throw StorageError `corrupt_pack` or `corrupt_object`, and what the file system throws:
 * ENOENT or ESTALE if the pack was deleted, which may happen at any moment.
 */
export class Pack {
  /** The path without its extension. */
  readonly path: string;
  readonly #resources: PackResources;
  /**
   * The size from a listing, or null. An NFS client may remember the size from when the pack was being
   * written.
   */
  readonly #listedSize: number | null;
  #opening: Promise<Entries> | null = null;
  /** The position of the checksum after the entries, from the opened file; null until it is opened. */
  #end: number | null = null;

  constructor(path: string, resources: PackResources, listedSize: number | null = null) {
    this.path = path;
    this.#resources = resources;
    this.#listedSize = listedSize;
  }

  /** A pack whose contents are already known, so that finding an object needs no reading. */
  static known(
    path: string,
    resources: PackResources,
    entries: ReadonlyMap<Oid, number>,
    size: number,
  ): Pack {
    const pack = new Pack(path, resources);
    pack.#opening = Promise.resolve(entries);
    pack.#end = size - CHECKSUM_BYTES;
    return pack;
  }

  /** Opens the pack. Returns its oids if it is a small one. */
  async smallPackOids(): Promise<Oid[] | null> {
    const entries = await this.#open();
    return entries instanceof PackIndex ? null : [...entries.keys()];
  }

  /** The position of the object, or null if it is not in this pack. */
  async find(oid: Oid): Promise<number | null> {
    const entries = await this.#open();
    return entries instanceof PackIndex ? entries.find(oid) : (entries.get(oid) ?? null);
  }

  /** The oids that begin with `prefix`, at most `limit`. */
  async expand(prefix: string, limit: number): Promise<Oid[]> {
    const entries = await this.#open();
    if (entries instanceof PackIndex) return entries.expand(prefix, limit);
    return [...entries.keys()].filter((oid) => oid.startsWith(prefix)).slice(0, limit);
  }

  /** The object at `offset`, verified against `oid` and kept in the cache. Does not open the pack's index. */
  async read(oid: Oid, offset: number): Promise<GitObject> {
    const object = await this.#resolve(oid, offset);
    if ((await objectIdInTurns(object.type, object.content)) !== oid) {
      throw new StorageError('corrupt_object', `Object ${oid} in ${this.#packPath} is damaged.`, {
        oid,
        path: this.#packPath,
      });
    }
    this.#resources.objects.keep(oid, object, { packPath: this.path, offset });
    return object;
  }

  /** The length of the object at `offset`. Reads only the beginning of a whole one, and verifies nothing. */
  async size(oid: Oid, offset: number): Promise<number> {
    const whole = await this.#beginWhole(offset, MAX_HEADER_BYTES);
    return whole?.size ?? (await this.read(oid, offset)).content.length;
  }

  /** At most the first `most` bytes of the object at `offset`, read in the same way. */
  async beginning(oid: Oid, offset: number, most: number): Promise<Uint8Array> {
    const whole = await this.#beginWhole(offset, most + MAX_HEADER_BYTES);
    const begin = whole && (await inflateBeginning(whole.compressed, most));
    if (begin !== null && typeof begin !== 'string') return begin;
    return (await this.read(oid, offset)).content.subarray(0, most);
  }

  /** Closes its files. */
  async release(): Promise<void> {
    this.#opening = null;
    this.#end = null;
    await Promise.all([
      this.#resources.files.discard(this.#packPath),
      this.#resources.files.discard(this.#indexPath),
    ]);
  }

  get #packPath(): string {
    return `${this.path}.pack`;
  }

  get #indexPath(): string {
    return `${this.path}.idx`;
  }

  #open(): Promise<Entries> {
    if (this.#opening) return this.#opening;
    const opening = this.#readEntries();
    this.#opening = opening;
    opening.catch(() => {
      // The callers that wait get the error. The next one tries again.
      if (this.#opening === opening) this.#opening = null;
    });
    return opening;
  }

  async #readEntries(): Promise<Entries> {
    const { files, indexPages } = this.#resources;
    const { size, whole } = await this.#readWholeIfSmall();
    const objects = whole && parseSmallPack(whole);
    if (!objects) return PackIndex.open(files, this.#indexPath, size, indexPages);
    for (const { oid, offset, object } of objects) {
      this.#resources.objects.keep(oid, object, { packPath: this.path, offset });
    }
    return new Map(objects.map(({ oid, offset }) => [oid, offset]));
  }

  /** Null for a large pack, which is not even opened, as it need not hold the object. */
  async #readWholeIfSmall(): Promise<{ size: number; whole: Uint8Array | null }> {
    const listed = this.#listedSize;
    if (listed !== null && listed > SMALL_PACK_BYTES) return { size: listed, whole: null };
    return this.#resources.files.use(this.#packPath, async (file) => {
      const size = await file.size();
      this.#end = size - CHECKSUM_BYTES;
      return { size, whole: size <= SMALL_PACK_BYTES ? await readBytes(file, 0, size) : null };
    });
  }

  /** Follows deltas down to an object that is whole or cached, then applies them in reverse order. */
  async #resolve(oid: Oid, offset: number): Promise<GitObject> {
    const { objects } = this.#resources;
    const deltas: { offset: number; delta: Uint8Array }[] = [];
    const visited = new Set<number>();
    const window = new PackWindow();
    const pause = yielding(TURN_MS);
    let [deltaBytes, madeBytes] = [0, 0];
    let place = offset;
    let object = objects.byPlace(this.path, place);
    while (!object) {
      if (visited.has(place)) throw this.#corrupt(place, 'a delta that rests on itself');
      visited.add(place);
      const entry = await this.#entry(oid, place, window);
      if (entry.kind === 'whole') {
        object = { type: entry.type, content: entry.content };
      } else {
        madeBytes += this.#countResult(oid, place, entry.delta);
        deltaBytes += entry.delta.length;
        requireBounded(oid, deltas.length + 1, deltaBytes, madeBytes);
        deltas.push({ offset: place, delta: entry.delta });
        place = await this.#basePlace(place, entry);
        object = objects.byPlace(this.path, place);
      }
    }
    for (const [position, { offset: above, delta }] of deltas.reverse().entries()) {
      if (deltas.length - position <= BASES_KEPT) objects.keepBase(this.path, place, object);
      const { type, content }: GitObject = object;
      object = { type, content: this.#ofDelta(above, () => applyDelta(content, delta)) };
      place = above;
      await pause();
    }
    return object;
  }

  async #basePlace(place: number, entry: Exclude<PackEntry, { kind: 'whole' }>): Promise<number> {
    if (entry.kind === 'offset_delta') return place - entry.baseDistance;
    const base = await this.find(entry.baseOid);
    if (base === null) throw this.#corrupt(place, `a delta whose base ${entry.baseOid} is not in the pack`);
    return base;
  }

  /** The size that a delta declares for its result, checked against the bound. */
  #countResult(oid: Oid, offset: number, delta: Uint8Array): number {
    const { result } = this.#ofDelta(offset, () => deltaSizes(delta));
    if (result <= OBJECT_BOUNDS.objectBytes) return result;
    throw objectTooLarge(oid, tooManyBytes(result));
  }

  /** Reads something of the delta at `offset`. A delta that cannot be read is damage of the pack. */
  #ofDelta<T>(offset: number, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof DeltaError) throw this.#corrupt(offset, error.message);
      throw error;
    }
  }

  async #entry(oid: Oid, offset: number, window: PackWindow): Promise<PackEntry> {
    return this.#resources.files.use(this.#packPath, async (file) => {
      const end = await this.#endAfter(file, offset);
      let bytes = await window.from(file, offset, end);
      const large = await this.#largeEntry(file, offset, end, bytes);
      if (large) return large;
      for (;;) {
        const parsed = parsePackEntry(bytes, OBJECT_BOUNDS.objectBytes);
        if (parsed.outcome === 'parsed') return parsed.entry;
        if (parsed.outcome === 'corrupt') throw this.#corrupt(offset, parsed.reason);
        if (parsed.outcome === 'too large') throw objectTooLarge(oid, tooManyBytes(parsed.size));
        // Empty blocks without end would take as long to inflate as content.
        if (bytes.length > 2 * parsed.bytesNeeded + 1_000) {
          throw objectTooLarge(oid, 'it takes far more room compressed than it has bytes');
        }
        const length = Math.min(Math.max(parsed.bytesNeeded, bytes.length * 2), end - offset);
        const more = await readBytes(file, offset + bytes.length, length - bytes.length);
        if (more.length === 0) throw this.#corrupt(offset, 'an entry that ends too early');
        bytes = Buffer.concat([bytes, more]);
      }
    });
  }

  /** The beginning of a whole object, of which at most `most` bytes are read; null for a delta. */
  async #beginWhole(offset: number, most: number): Promise<{ size: number; compressed: Uint8Array } | null> {
    const bytes = await this.#resources.files.use(this.#packPath, async (file) => {
      const end = await this.#endAfter(file, offset);
      return readBytes(file, offset, Math.min(most, end - offset));
    });
    const header = parseEntryHeader(bytes);
    if (typeof header === 'string' || header.entryOf(NOTHING).kind !== 'whole') return null;
    return { size: header.size, compressed: bytes.subarray(header.length) };
  }

  /** The end of the entries, which is after `offset`. */
  async #endAfter(file: OpenFile, offset: number): Promise<number> {
    this.#end ??= (await file.size()) - CHECKSUM_BYTES;
    if (offset >= PACK_HEADER_BYTES && offset < this.#end) return this.#end;
    throw this.#corrupt(offset, 'an offset outside of the pack');
  }

  /** Inflates a large entry in another thread. Null if the entry is small or cannot be parsed. */
  async #largeEntry(
    file: OpenFile,
    offset: number,
    end: number,
    begin: Uint8Array,
  ): Promise<PackEntry | null> {
    const header = parseEntryHeader(begin);
    if (typeof header === 'string') return null;
    const { size, length } = header;
    if (size < LARGE_BYTES || size > OBJECT_BOUNDS.objectBytes) return null;
    const data = offset + length;
    const bytes = await readBytes(file, data, Math.min(mostBytes(size), end - data));
    const inflated = await inflateAside(bytes, size);
    return typeof inflated === 'string' ? null : header.entryOf(inflated.content);
  }

  #corrupt(offset: number, what: string): StorageError {
    const path = this.#packPath;
    return new StorageError('corrupt_pack', `The pack ${path} is damaged at byte ${offset}: ${what}.`, {
      path,
      offset,
    });
  }
}
