import type { GitObject, Oid } from '../../formats/oid.ts';
import type { FileSystem } from '../files/file-system.ts';
import { isGone } from '../files/unless-gone.ts';
import { fileSystemFailure } from '../storage-error.ts';
import type { Alternates } from './alternates.ts';
import { readLooseObject } from './loose-objects.ts';
import { nameOf, type ObjectDirectory } from './object-directory.ts';
import type { Search } from './object-search.ts';
import type { MultiPackIndex, PackedPlace } from './packed/multi-pack-index-file.ts';
import type { Pack } from './packed/pack-file.ts';
import type { PackHints } from './packed/pack-hints.ts';

/** The places in which an object of one repository may lie. */
export interface Places {
  fs: FileSystem;
  main: ObjectDirectory;
  alternates: Alternates;
  hints: PackHints | null;
  index: MultiPackIndex | null;
}

/** One copy of an object. Null if it is gone. */
export interface Copy {
  read(): Promise<GitObject | null>;
  /** The length of its content, without checking that it is sound. */
  size(): Promise<number | null>;
  /** The first bytes of its content, without that check. */
  beginning(most: number): Promise<Uint8Array | null>;
}

/** Each further listing covers a merge of packs that went on during the search for this object. */
const MAX_LISTINGS = 8;

/** Finds the copies of an object: in packs, in loose files and in alternates. Throws StorageError. */
export class ObjectCopies {
  readonly #fs: FileSystem;
  readonly #main: ObjectDirectory;
  readonly #alternates: Alternates;
  readonly #hints: PackHints | null;
  readonly #index: MultiPackIndex | null;

  constructor({ fs, main, alternates, hints, index }: Places) {
    this.#fs = fs;
    this.#main = main;
    this.#alternates = alternates;
    this.#hints = hints;
    this.#index = index;
  }

  /**
   * Every copy of the object, in the order of its cost to find. Only a loose one is read already.
   */
  async *find(oid: Oid, search: Search): AsyncGenerator<Copy> {
    const hinted = this.#hints?.find(oid);
    const likely = hinted && this.#main.add(`pack-${hinted}`);
    if (likely) yield* this.#packedCopies(oid, search, this.#main, (pack) => pack === likely);
    const place = await this.#index?.find(oid);
    if (place) {
      yield {
        read: () => this.#atPlace(place, search, (pack) => pack.read(oid, place.offset)),
        size: () => this.#atPlace(place, search, (pack) => pack.size(oid, place.offset)),
        beginning: (most) => this.#atPlace(place, search, (pack) => pack.beginning(oid, place.offset, most)),
      };
    }
    // These packs are listed completely in the index, which did not list this object: so they are searched
    // last of all.
    const reported = (await this.#index?.packs()) ?? new Set();
    yield* this.#knownCopies(oid, search, this.#main, (pack) => !reported.has(nameOf(pack)));
    const alternates = await this.#alternates.directories();
    for (const alternate of alternates) yield* this.#knownCopies(oid, search, alternate);
    for (const directory of [this.#main, ...alternates]) yield* this.#newCopies(oid, search, directory);
  }

  /** Null if the pack was deleted: it is then forgotten. Throws StorageError. */
  async unlessGone<Result>(
    directory: ObjectDirectory,
    pack: Pack,
    action: () => Promise<Result>,
    search?: Search,
  ): Promise<Result | null> {
    try {
      return await action();
    } catch (error) {
      if (!isGone(error)) throw fileSystemFailure(error, 'Reading a pack', pack.path);
      await directory.drop(pack);
      search?.outdate(directory);
      return null;
    }
  }

  async #atPlace<Result>(
    { pack: name }: PackedPlace,
    search: Search,
    action: (pack: Pack) => Promise<Result>,
  ): Promise<Result | null> {
    const pack = this.#main.add(name);
    const result = await this.unlessGone(this.#main, pack, () => action(pack), search);
    if (result === null) await this.#index?.forget(name);
    return result;
  }

  async *#knownCopies(
    oid: Oid,
    search: Search,
    directory: ObjectDirectory,
    which = anyPack,
  ): AsyncGenerator<Copy> {
    search.enter(directory);
    yield* this.#packedCopies(oid, search, directory, which);
    if (directory.listingsBegun === 0) {
      await directory.listSince(0);
      yield* this.#packedCopies(oid, search, directory, which);
    }
    // If git is packing the object right now, only a listing from here on shows the pack.
    search.outdate(directory);
    const loose = await search.unlessDamaged(() => readLooseObject(this.#fs, directory.path, oid));
    if (!loose) return;
    const { content } = loose;
    yield {
      read: async () => loose,
      size: async () => content.length,
      beginning: async (most) => content.subarray(0, most),
    };
  }

  /** Lists the packs again, until a listing shows no pack that was not searched. */
  async *#newCopies(oid: Oid, search: Search, directory: ObjectDirectory): AsyncGenerator<Copy> {
    let mark = search.mark(directory);
    for (let listing = 0; listing < MAX_LISTINGS; listing += 1) {
      await directory.listSince(mark);
      mark = directory.listingsBegun;
      if (directory.packs.every((pack) => search.searched.has(pack))) return;
      yield* this.#packedCopies(oid, search, directory);
    }
  }

  async *#packedCopies(
    oid: Oid,
    search: Search,
    directory: ObjectDirectory,
    which = anyPack,
  ): AsyncGenerator<Copy> {
    for (const pack of directory.packs) {
      if (search.searched.has(pack) || !which(pack)) continue;
      search.searched.add(pack);
      const find = () => this.unlessGone(directory, pack, () => pack.find(oid), search);
      const offset = await search.unlessDamaged(find);
      if (offset === null) continue;
      directory.prefer(pack);
      yield {
        read: () => this.unlessGone(directory, pack, () => pack.read(oid, offset), search),
        size: () => this.unlessGone(directory, pack, () => pack.size(oid, offset), search),
        beginning: (most) =>
          this.unlessGone(directory, pack, () => pack.beginning(oid, offset, most), search),
      };
    }
  }
}

const anyPack = (_pack: Pack): boolean => true;
