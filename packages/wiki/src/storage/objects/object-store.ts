import { join } from 'node:path';
import { errorName, type FileSystem } from '../files/file-system.ts';
import { LruCache } from '../files/lru-cache.ts';
import { OpenFiles } from '../files/open-files.ts';
import type { GitObject, ObjectReader, Oid } from '../storage.ts';
import { fileSystemFailure, StorageError } from '../storage-error.ts';
import { Alternates } from './alternates.ts';
import { expandLooseObjects, readLooseObject } from './loose-objects.ts';
import { MultiPackIndex, type PackedPlace } from './multi-pack-index.ts';
import { ObjectCache } from './object-cache.ts';
import { nameOf, ObjectDirectory } from './object-directory.ts';
import { Search } from './object-search.ts';
import { Pack, type PackResources } from './pack.ts';
import { PackHints } from './pack-hints.ts';
import type { EncodedPack } from './pack-writer.ts';
import { pathsOfCommit } from './paths-of-commit.ts';

export interface ObjectStoreOptions {
  fs: FileSystem;
  /** The bare repository; its objects are in `objects/` below it. */
  gitDirectory: string;
  /** How many bytes of objects and of pack indexes to keep in memory, half for each. */
  cacheBytes: number;
  /** On a mount that others share: only there are hints kept about which packs hold what. */
  shared?: boolean;
  /** Where one index over most packs is: see MultiPackIndex. */
  multiPackIndex?: string | null;
}

/** So many times its usual budget a store keeps in memory while somebody reads much. */
const READING_MUCH = 3;
const MOST_OPEN_FILES = 64;
/** Each further listing is for a merge of packs that went on while this object was looked for. */
const MOST_LISTINGS = 8;

/**
 * The objects of one repository: in packs, which are read by position, in loose files, and in alternates.
 * What it returns is shared with its cache and must not be changed. Every object is proved by its oid.
 */
export class ObjectStore implements ObjectReader {
  readonly #fs: FileSystem;
  readonly #files: OpenFiles;
  readonly #resources: PackResources;
  readonly #main: ObjectDirectory;
  readonly #alternates: Alternates;
  /** Beside native git there are none: it moves objects as it likes, and to open a pack is no round trip. */
  readonly #hints: PackHints | null;
  readonly #index: MultiPackIndex | null;
  readonly #reading = new Map<Oid, Promise<GitObject>>();
  readonly #cacheBytes: number;
  #readingMuch = 0;

  constructor({ fs, gitDirectory, cacheBytes, shared = false, multiPackIndex }: ObjectStoreOptions) {
    this.#fs = fs;
    this.#cacheBytes = cacheBytes;
    this.#hints = shared ? new PackHints() : null;
    this.#files = new OpenFiles(fs, MOST_OPEN_FILES);
    this.#resources = {
      files: this.#files,
      objects: new ObjectCache(cacheBytes / 2),
      indexPages: new LruCache(cacheBytes / 2),
    };
    const open = (path: string) => new ObjectDirectory(fs, path, this.#resources);
    this.#main = open(join(gitDirectory, 'objects'));
    this.#alternates = new Alternates(fs, this.#main.path, open);
    this.#index = multiPackIndex ? new MultiPackIndex(fs, multiPackIndex) : null;
  }

  /**
   * Throws StorageError: `missing_object`, `corrupt_object` or `corrupt_pack` where no good copy is left,
   * `unsupported_repository` where an alternate is missing, or how the file system failed.
   */
  async read(oid: Oid): Promise<GitObject> {
    const cached = this.#resources.objects.byOid(oid);
    if (cached) return cached;
    let reading = this.#reading.get(oid);
    if (!reading) {
      reading = this.#readUncached(oid).finally(() => this.#reading.delete(oid));
      this.#reading.set(oid, reading);
    }
    return reading;
  }

  /**
   * Runs work that goes through most of the history, where a small cache would make it read the same again and
   * again: until it ends, three times as much is kept in memory.
   */
  async readMuch<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#readingMuch += 1;
    this.#resize();
    try {
      return await work();
    } finally {
      this.#readingMuch -= 1;
      this.#resize();
    }
  }

  /** Whether some pack, loose file or alternate holds the object. Throws as `read` does. */
  async has(oid: Oid): Promise<boolean> {
    if (this.#resources.objects.byOid(oid)) return true;
    const search = new Search(this.#main);
    for await (const copy of this.#copies(oid, search)) if (await search.unlessDamaged(copy)) return true;
    return false;
  }

  /** Every oid of a stored object that begins with `prefix` (4 to 40 digits), at most `limit`, in order. */
  async expand(prefix: string, limit: number): Promise<Oid[]> {
    const oids = new Set<Oid>();
    for (const directory of [this.#main, ...(await this.#alternates.directories())]) {
      await directory.listSince(directory.listingsBegun);
      for (const pack of directory.packs) {
        const found = await this.#unlessGone(directory, pack, () => pack.expand(prefix, limit));
        for (const oid of found ?? []) oids.add(oid);
      }
      for (const oid of await expandLooseObjects(this.#fs, directory.path, prefix)) oids.add(oid);
    }
    return [...oids].sort().slice(0, limit);
  }

  /** Makes known, without any call of the file system, a pack that this process just landed as `pack-<name>`. */
  addPack(name: string, { packBytes, objects }: EncodedPack): void {
    const entries = new Map(objects.map(({ oid, offset }) => [oid, offset]));
    const pack = this.#main.add(`pack-${name}`, (path) =>
      Pack.known(path, this.#resources, entries, packBytes.length),
    );
    for (const { oid, offset, object } of objects) {
      this.#resources.objects.keep(oid, object, { packPath: pack.path, offset });
    }
    this.#noteCommit(name, [...entries.keys()]);
  }

  /** Makes known that `pack-<name>` is there and holds all that these others hold, which may be deleted now. */
  async replacePacks(name: string, replaced: readonly string[]): Promise<void> {
    this.#main.add(`pack-${name}`);
    this.#hints?.replace(replaced, name);
    for (const old of replaced) await this.#main.drop(this.#main.add(`pack-${old}`));
  }

  /**
   * Says that these packs `pack-<commit>` should be there, as the chain told, the newest last: they are opened by name,
   * without a listing. Where one is not (merged since) or is damaged, its objects are looked for like all others.
   */
  async expectPacks(commits: readonly Oid[]): Promise<void> {
    const names = commits.map((commit) => this.#hints?.find(commit) ?? commit);
    const oids = await Promise.all(names.map((name) => this.#openByName(name)));
    // In their order, whichever was read first: of each page the newest version is hinted at.
    for (const [at, commit] of commits.entries()) {
      const inPack = oids[at];
      if (inPack && names[at] === commit) this.#noteCommit(commit, inPack);
    }
  }

  /** The pack of a new commit, whose objects are in memory. */
  #noteCommit(commit: Oid, oids: readonly Oid[]): void {
    if (!this.#hints) return;
    const inPack = new Set(oids);
    const known = (oid: Oid) => (inPack.has(oid) ? this.#resources.objects.byOid(oid) : undefined);
    this.#hints.note(commit, oids, pathsOfCommit(commit, known));
  }

  /** What the newest packs hold, as far as this process met them, for `takePackHints` of one that starts. */
  packHints(mostBytes: number): string {
    return this.#hints?.text(mostBytes) ?? '';
  }

  takePackHints(text: string): void {
    this.#hints?.take(text);
  }

  /** Closes the files that are kept open; a later read opens them again. */
  async close(): Promise<void> {
    await Promise.all([this.#files.close(), this.#index?.close()]);
  }

  async #readUncached(oid: Oid): Promise<GitObject> {
    const search = new Search(this.#main);
    for await (const copy of this.#copies(oid, search)) {
      const object = await search.unlessDamaged(copy);
      if (object) return object;
    }
    if (search.damage) throw search.damage;
    throw new StorageError('missing_object', `Object ${oid} is not in the repository.`, { oid });
  }

  /** Every copy of the object, in the order of what it costs to find; each reads itself, or is gone since (null). */
  async *#copies(oid: Oid, search: Search): AsyncGenerator<ReadCopy> {
    const hinted = this.#hints?.find(oid);
    const likely = hinted && this.#main.add(`pack-${hinted}`);
    if (likely) yield* this.#packedCopies(oid, search, this.#main, (pack) => pack === likely);
    const place = await this.#index?.find(oid);
    if (place) yield () => this.#readPlace(oid, place, search);
    // What the index tells of, and it did not tell of this object: these packs are searched last of all.
    const told = (await this.#index?.packs()) ?? new Set();
    yield* this.#knownCopies(oid, search, this.#main, (pack) => !told.has(nameOf(pack)));
    const alternates = await this.#alternates.directories();
    for (const alternate of alternates) yield* this.#knownCopies(oid, search, alternate);
    for (const directory of [this.#main, ...alternates]) yield* this.#newCopies(oid, search, directory);
  }

  async #readPlace(oid: Oid, { pack: name, offset }: PackedPlace, search: Search): Promise<GitObject | null> {
    const pack = this.#main.add(name);
    const object = await this.#unlessGone(this.#main, pack, () => pack.read(oid, offset), search);
    if (!object) await this.#index?.forget(name);
    return object;
  }

  /** The objects of `pack-<name>` where that is a good small pack, null for any other and where there is none. */
  async #openByName(name: string): Promise<Oid[] | null> {
    const pack = this.#main.add(`pack-${name}`);
    const open = () => this.#unlessGone(this.#main, pack, () => pack.smallPackOids());
    const oids = await new Search(this.#main).unlessDamaged(open);
    if (oids) this.#main.prefer(pack);
    return oids;
  }

  async *#knownCopies(
    oid: Oid,
    search: Search,
    directory: ObjectDirectory,
    which = anyPack,
  ): AsyncGenerator<ReadCopy> {
    search.enter(directory);
    yield* this.#packedCopies(oid, search, directory, which);
    if (directory.listingsBegun === 0) {
      await directory.listSince(0);
      yield* this.#packedCopies(oid, search, directory, which);
    }
    // Where git packs it just now, only a listing from here on shows the pack.
    search.outdate(directory);
    const loose = await search.unlessDamaged(() => readLooseObject(this.#fs, directory.path, oid));
    if (loose) yield async () => loose;
  }

  /** Lists the packs again, until a listing shows none that was not searched. */
  async *#newCopies(oid: Oid, search: Search, directory: ObjectDirectory): AsyncGenerator<ReadCopy> {
    let mark = search.mark(directory);
    for (let listing = 0; listing < MOST_LISTINGS; listing += 1) {
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
  ): AsyncGenerator<ReadCopy> {
    for (const pack of directory.packs) {
      if (search.searched.has(pack) || !which(pack)) continue;
      search.searched.add(pack);
      const find = () => this.#unlessGone(directory, pack, () => pack.find(oid), search);
      const offset = await search.unlessDamaged(find);
      if (offset === null) continue;
      directory.prefer(pack);
      yield () => this.#unlessGone(directory, pack, () => pack.read(oid, offset), search);
    }
  }

  /** Null, and the pack forgotten, where somebody deleted it. Throws StorageError. */
  async #unlessGone<Result>(
    directory: ObjectDirectory,
    pack: Pack,
    action: () => Promise<Result>,
    search?: Search,
  ): Promise<Result | null> {
    try {
      return await action();
    } catch (error) {
      const errno = errorName(error);
      if (errno !== 'ENOENT' && errno !== 'ESTALE')
        throw fileSystemFailure(error, 'Reading a pack', pack.path);
      await directory.drop(pack);
      search?.outdate(directory);
      return null;
    }
  }

  #resize(): void {
    const budget = this.#cacheBytes * (this.#readingMuch > 0 ? READING_MUCH : 1);
    this.#resources.objects.resize(budget / 2);
    this.#resources.indexPages.resize(budget / 2);
  }
}

type ReadCopy = () => Promise<GitObject | null>;
const anyPack = (_pack: Pack): boolean => true;
