import { join } from 'node:path';
import type { GitObject, Oid } from '../../formats/oid.ts';
import type { EncodedPack } from '../../formats/packs/pack.ts';
import { yielding } from '../../scheduling/yielding.ts';
import type { FileSystem } from '../files/file-system.ts';
import { LruCache } from '../files/lru-cache.ts';
import { OpenFiles } from '../files/open-files.ts';
import { pathsOfCommit } from '../packs/merging/paths-of-commit.ts';
import type { ObjectReader } from '../storage.ts';
import { isTooLarge, StorageError } from '../storage-error.ts';
import { Alternates } from './alternates.ts';
import { expandLooseObjects } from './loose-objects.ts';
import { ObjectCache } from './object-cache.ts';
import { type Copy, ObjectCopies } from './object-copies.ts';
import { ObjectDirectory } from './object-directory.ts';
import { Search } from './object-search.ts';
import { MultiPackIndex } from './packed/multi-pack-index-file.ts';
import { Pack, type PackResources } from './packed/pack-file.ts';
import { PackHints } from './packed/pack-hints.ts';

export interface ObjectStoreOptions {
  fs: FileSystem;
  /** The bare repository. Its objects lie in `objects/` below it. */
  gitDirectory: string;
  /** Memory for objects and pack indexes in bytes, half for each. */
  cacheBytes: number;
  /** True on a mount that others share. Only there the store keeps hints about which packs hold what. */
  shared?: boolean;
  /** The path of the index over most packs: see MultiPackIndex. */
  multiPackIndex?: string | null;
}

/** The factor by which a store exceeds its memory budget during `readMuch`. */
const READING_MUCH = 3;
const MAX_OPEN_FILES = 64;
const TURN_MS = 20;

/**
 * The objects of one repository: in packs, read by position, in loose files, and in alternates. Returned
 * objects are shared with the cache and must not be changed. Every object is verified against its oid.
 */
export class ObjectStore implements ObjectReader {
  readonly #fs: FileSystem;
  readonly #files: OpenFiles;
  readonly #resources: PackResources;
  readonly #main: ObjectDirectory;
  readonly #alternates: Alternates;
  /** Null beside native git: it moves objects as it likes, and opening a pack costs no round trip. */
  readonly #hints: PackHints | null;
  readonly #index: MultiPackIndex | null;
  readonly #copies: ObjectCopies;
  readonly #reading = new Map<Oid, Promise<GitObject>>();
  readonly #cacheBytes: number;
  readonly #yield = yielding(TURN_MS);
  #readingMuch = 0;

  constructor({ fs, gitDirectory, cacheBytes, shared = false, multiPackIndex }: ObjectStoreOptions) {
    this.#fs = fs;
    this.#cacheBytes = cacheBytes;
    this.#hints = shared ? new PackHints() : null;
    this.#files = new OpenFiles(fs, MAX_OPEN_FILES);
    this.#resources = {
      files: this.#files,
      objects: new ObjectCache(cacheBytes / 2),
      indexPages: new LruCache(cacheBytes / 2),
    };
    const open = (path: string) => new ObjectDirectory(fs, path, this.#resources);
    this.#main = open(join(gitDirectory, 'objects'));
    this.#alternates = new Alternates(fs, this.#main.path, open);
    this.#index = multiPackIndex ? new MultiPackIndex(fs, multiPackIndex) : null;
    this.#copies = new ObjectCopies({
      fs,
      main: this.#main,
      alternates: this.#alternates,
      hints: this.#hints,
      index: this.#index,
    });
  }

  /**
   * Throws StorageError: `missing_object`, `corrupt_object` or `corrupt_pack` if no good copy is left,
   * `object_too_large`, `unsupported_repository` if an alternate is missing, or the code of the file system's
   * failure.
   */
  async read(oid: Oid): Promise<GitObject> {
    // A walk over thousands of small objects in memory would hold the event loop until its end.
    const pause = this.#yield();
    if (pause !== undefined) await pause;
    const cached = this.#resources.objects.byOid(oid);
    if (cached) return cached;
    let reading = this.#reading.get(oid);
    if (!reading) {
      reading = this.#firstOf(oid, (copy) => copy.read()).finally(() => this.#reading.delete(oid));
      this.#reading.set(oid, reading);
    }
    return reading;
  }

  /**
   * The length of an object's content. Of a whole object in a pack only the beginning is read, and nothing is verified.
   * Throws as `read` does.
   */
  async size(oid: Oid): Promise<number> {
    const cached = this.#resources.objects.byOid(oid);
    return cached ? cached.content.length : this.#firstOf(oid, (copy) => copy.size());
  }

  /** The first bytes of an object's content, at most `most`; not verified, and read as `size` reads. Throws as `read` does. */
  async beginning(oid: Oid, most: number): Promise<Uint8Array> {
    const cached = this.#resources.objects.byOid(oid);
    return cached ? cached.content.subarray(0, most) : this.#firstOf(oid, (copy) => copy.beginning(most));
  }

  /**
   * Runs work that reads most of the history. Until it ends, the store keeps three times as much in memory: a
   * small cache would read the same objects again and again.
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

  /** True if a pack, loose file or alternate holds the object. Throws as `read` does. */
  async has(oid: Oid): Promise<boolean> {
    if (this.#resources.objects.byOid(oid)) return true;
    const search = new Search(this.#main);
    try {
      for await (const copy of this.#copies.find(oid, search))
        if (await search.unlessDamaged(() => copy.read())) return true;
    } catch (error) {
      if (isTooLarge(error)) return true;
      throw error;
    }
    return false;
  }

  /** The oids of all stored objects that begin with `prefix` (4 to 40 digits), at most `limit`, in order. */
  async expand(prefix: string, limit: number): Promise<Oid[]> {
    const oids = new Set<Oid>();
    for (const directory of [this.#main, ...(await this.#alternates.directories())]) {
      await directory.listSince(directory.listingsBegun);
      for (const pack of directory.packs) {
        const found = await this.#copies.unlessGone(directory, pack, () => pack.expand(prefix, limit));
        for (const oid of found ?? []) oids.add(oid);
      }
      for (const oid of await expandLooseObjects(this.#fs, directory.path, prefix)) oids.add(oid);
    }
    return [...oids].sort().slice(0, limit);
  }

  /** Registers a pack that this process just landed as `pack-<name>`, without any call to the file system. */
  addPack(name: string, { packBytes, objects }: EncodedPack): void {
    const entries = new Map(objects.map(({ oid, offset }) => [oid, offset]));
    const pack = this.#main.add(`pack-${name}`, (path) =>
      Pack.known(path, this.#resources, entries, packBytes.length),
    );
    for (const { oid, offset, object } of objects) {
      if (object !== null) this.#resources.objects.keep(oid, object, { packPath: pack.path, offset });
    }
    this.#noteCommit(name, [...entries.keys()]);
  }

  /**
   * Registers `pack-<name>`, which holds everything that the replaced packs hold. Those may be deleted from
   * now on.
   */
  async replacePacks(name: string, replaced: readonly string[]): Promise<void> {
    this.#main.add(`pack-${name}`);
    this.#hints?.replace(replaced, name);
    for (const old of replaced) await this.#main.drop(this.#main.add(`pack-${old}`));
  }

  /**
   * Registers packs `pack-<commit>` that should exist according to the chain, newest last. They are opened by
   * name, without a listing. If one was merged since or is damaged, its objects are searched for like all
   * others.
   */
  async expectPacks(commits: readonly Oid[]): Promise<void> {
    const names = commits.map((commit) => this.#hints?.find(commit) ?? commit);
    const oids = await Promise.all(names.map((name) => this.#openByName(name)));
    // Processed in their order, whichever was read first: the hint for a page must name its newest version.
    for (const [at, commit] of commits.entries()) {
      const inPack = oids[at];
      if (inPack && names[at] === commit) this.#noteCommit(commit, inPack);
    }
  }

  /** Notes the pack of a new commit, whose objects are in memory. */
  #noteCommit(commit: Oid, oids: readonly Oid[]): void {
    if (!this.#hints) return;
    const inPack = new Set(oids);
    const known = (oid: Oid) => (inPack.has(oid) ? this.#resources.objects.byOid(oid) : undefined);
    this.#hints.note(commit, oids, pathsOfCommit(commit, known));
  }

  /**
   * The contents of the newest packs as far as this process knows them, for `takePackHints` of a starting
   * process.
   */
  packHints(mostBytes: number): string {
    return this.#hints?.text(mostBytes) ?? '';
  }

  takePackHints(text: string): void {
    this.#hints?.take(text);
  }

  /** Closes the open files. A later read opens what it needs, and closes it again. */
  async close(): Promise<void> {
    await Promise.all([this.#files.close(), this.#index?.close()]);
  }

  /** The result of `act` for the first copy that is there and not damaged. */
  async #firstOf<Result>(oid: Oid, act: (copy: Copy) => Promise<Result | null>): Promise<Result> {
    const search = new Search(this.#main);
    for await (const copy of this.#copies.find(oid, search)) {
      const result = await search.unlessDamaged(() => act(copy));
      if (result !== null) return result;
    }
    throw search.damage ?? missing(oid);
  }

  /**
   * The oids of the objects in `pack-<name>` if that is a good small pack; null if it is not or does not
   * exist.
   */
  async #openByName(name: string): Promise<Oid[] | null> {
    const pack = this.#main.add(`pack-${name}`);
    const open = () => this.#copies.unlessGone(this.#main, pack, () => pack.smallPackOids());
    const oids = await new Search(this.#main).unlessDamaged(open);
    if (oids) this.#main.prefer(pack);
    return oids;
  }

  #resize(): void {
    const budget = this.#cacheBytes * (this.#readingMuch > 0 ? READING_MUCH : 1);
    this.#resources.objects.resize(budget / 2);
    this.#resources.indexPages.resize(budget / 2);
  }
}

function missing(oid: Oid): StorageError {
  return new StorageError('missing_object', `Object ${oid} is not in the repository.`, { oid });
}
