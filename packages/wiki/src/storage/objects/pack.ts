import type { LruCache } from '../files/lru-cache.ts';
import type { OpenFiles } from '../files/open-files.ts';
import type { GitObject, Oid } from '../storage.ts';
import { StorageError } from '../storage-error.ts';
import { applyDelta, DeltaError } from './delta.ts';
import type { ObjectCache } from './object-cache.ts';
import { objectId } from './object-id.ts';
import { type PackEntry, parsePackEntry } from './pack-entry.ts';
import { PackIndex } from './pack-index.ts';
import { PackWindow, readBytes } from './pack-window.ts';
import { parseSmallPack, SMALL_PACK_BYTES } from './small-pack.ts';

/** What the packs of one store share. */
export interface PackResources {
  files: OpenFiles;
  objects: ObjectCache;
  indexPages: LruCache<Uint8Array>;
}

const HEADER_BYTES = 12;
const CHECKSUM_BYTES = 20;
/**
 * Of a chain of deltas, which may be 50 long, only the nearest are likely to be the base of what is read next; to
 * keep all would push everything else out of the cache.
 */
const BASES_KEPT = 3;

/** A small pack's objects are all known; a large one's are looked up. */
type Entries = ReadonlyMap<Oid, number> | PackIndex;

/**
 * One pack, opened when it is first asked. A small pack is read whole, without its index; a large one by
 * position. Methods throw StorageError `corrupt_pack` or `corrupt_object`, and what the file system throws:
 * ENOENT or ESTALE when the pack was deleted, as it may be at any moment.
 */
export class Pack {
  /** Without its ending. */
  readonly path: string;
  readonly #resources: PackResources;
  /** As a listing told it, null where none did. An NFS client may remember one from when it was being written. */
  readonly #listedSize: number | null;
  #opening: Promise<Entries> | null = null;
  /** Where the entries end and the checksum begins, as the opened file tells; null until it was asked. */
  #end: number | null = null;

  constructor(path: string, resources: PackResources, listedSize: number | null = null) {
    this.path = path;
    this.#resources = resources;
    this.#listedSize = listedSize;
  }

  /** A pack of which everything is known already, so that finding an object in it needs no reading. */
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

  /** Opens the pack, and names its objects if it is a small one. */
  async smallPackOids(): Promise<Oid[] | null> {
    const entries = await this.#open();
    return entries instanceof PackIndex ? null : [...entries.keys()];
  }

  /** Where the object begins, or null if it is not in this pack. */
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

  /**
   * The object that begins at `offset`, proved to be the one that `oid` names, and kept in the cache. The pack's
   * index is not opened for it.
   */
  async read(oid: Oid, offset: number): Promise<GitObject> {
    const object = await this.#resolve(offset);
    if (objectId(object.type, object.content) !== oid) {
      throw new StorageError('corrupt_object', `Object ${oid} in ${this.#packPath} is damaged.`, {
        oid,
        path: this.#packPath,
      });
    }
    this.#resources.objects.keep(oid, object, { packPath: this.path, offset });
    return object;
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
      // Who waits for it is told; the next one tries again.
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

  /** A large pack is not even opened, as it need not hold what is looked for. */
  async #readWholeIfSmall(): Promise<{ size: number; whole: Uint8Array | null }> {
    const listed = this.#listedSize;
    if (listed !== null && listed > SMALL_PACK_BYTES) return { size: listed, whole: null };
    return this.#resources.files.use(this.#packPath, async (file) => {
      const size = await file.size();
      this.#end = size - CHECKSUM_BYTES;
      return { size, whole: size <= SMALL_PACK_BYTES ? await readBytes(file, 0, size) : null };
    });
  }

  /** Follows deltas down to an object that is whole or cached, then builds what lies above it. */
  async #resolve(offset: number): Promise<GitObject> {
    const { objects } = this.#resources;
    const deltas: { offset: number; delta: Uint8Array }[] = [];
    const visited = new Set<number>();
    const window = new PackWindow();
    let place = offset;
    let object = objects.byPlace(this.path, place);
    while (!object) {
      if (visited.has(place)) throw this.#corrupt(place, 'a delta that rests on itself');
      visited.add(place);
      const entry = await this.#entry(place, window);
      if (entry.kind === 'whole') {
        object = { type: entry.type, content: entry.content };
      } else {
        deltas.push({ offset: place, delta: entry.delta });
        place = await this.#basePlace(place, entry);
        object = objects.byPlace(this.path, place);
      }
    }
    for (const [position, { offset: above, delta }] of deltas.reverse().entries()) {
      if (deltas.length - position <= BASES_KEPT) objects.keepBase(this.path, place, object);
      object = { type: object.type, content: this.#apply(above, object.content, delta) };
      place = above;
    }
    return object;
  }

  async #basePlace(place: number, entry: Exclude<PackEntry, { kind: 'whole' }>): Promise<number> {
    if (entry.kind === 'offset_delta') return place - entry.baseDistance;
    const base = await this.find(entry.baseOid);
    if (base === null) throw this.#corrupt(place, `a delta whose base ${entry.baseOid} is not in the pack`);
    return base;
  }

  #apply(offset: number, base: Uint8Array, delta: Uint8Array): Uint8Array {
    try {
      return applyDelta(base, delta);
    } catch (error) {
      if (error instanceof DeltaError) throw this.#corrupt(offset, error.message);
      throw error;
    }
  }

  async #entry(offset: number, window: PackWindow): Promise<PackEntry> {
    return this.#resources.files.use(this.#packPath, async (file) => {
      this.#end ??= (await file.size()) - CHECKSUM_BYTES;
      const end = this.#end;
      if (offset < HEADER_BYTES || offset >= end)
        throw this.#corrupt(offset, 'an offset outside of the pack');
      let bytes = await window.from(file, offset, end);
      for (;;) {
        const parsed = parsePackEntry(bytes);
        if (parsed.outcome === 'parsed') return parsed.entry;
        if (parsed.outcome === 'corrupt') throw this.#corrupt(offset, parsed.reason);
        const length = Math.min(Math.max(parsed.bytesNeeded, bytes.length * 2), end - offset);
        const more = await readBytes(file, offset + bytes.length, length - bytes.length);
        if (more.length === 0) throw this.#corrupt(offset, 'an entry that ends too early');
        bytes = Buffer.concat([bytes, more]);
      }
    });
  }

  #corrupt(offset: number, what: string): StorageError {
    const path = this.#packPath;
    return new StorageError('corrupt_pack', `The pack ${path} is damaged at byte ${offset}: ${what}.`, {
      path,
      offset,
    });
  }
}
