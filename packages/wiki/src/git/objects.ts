import { type Commit, parseCommit } from '../formats/commit.ts';
import type { Name } from '../formats/names.ts';
import { EMPTY_TREE, type GitObject, type Oid } from '../formats/oid.ts';
import { isTree, parseTree, type TreeEntry } from '../formats/tree.ts';
import { findEntry } from '../formats/tree-search.ts';
import { LruCache } from '../storage/files/lru-cache.ts';
import type { ObjectReader } from '../storage/storage.ts';
import { damaged, readIfThere } from './storage-failures.ts';

/** A folder: the tree object, its items in stored order, and by name. */
export interface Tree {
  readonly content: Uint8Array;
  readonly items: readonly TreeEntry[];
  find(name: Name): TreeEntry | undefined;
}

/**
 * Commits and trees, parsed. Objects never change, so parsed ones are cached, up to a budget of bytes. If an
 * object is missing from the repository or has another type, that is `internal`: the repository is damaged.
 */
export class Objects {
  readonly #reader: ObjectReader;
  readonly #kept: LruCache<Commit | FoundTree>;

  /** `cacheBytes` is the approximate memory of the parsed objects. */
  constructor(reader: ObjectReader, cacheBytes: number) {
    this.#reader = reader;
    this.#kept = new LruCache(cacheBytes);
  }

  async commit(oid: Oid): Promise<Commit> {
    const kept = this.#kept.get(oid);
    if (kept && !(kept instanceof FoundTree)) return kept;
    return this.#keepCommit(oid, await this.#reader.read(oid));
  }

  /** Null if `oid` is not a commit of this repository. */
  async findCommit(oid: Oid): Promise<Commit | null> {
    const kept = this.#kept.get(oid);
    if (kept) return kept instanceof FoundTree ? null : kept;
    const object = await readIfThere(this.#reader, oid);
    return object?.type === 'commit' ? this.#keepCommit(oid, object) : null;
  }

  async tree(oid: Oid): Promise<Tree> {
    if (oid === EMPTY_TREE) return emptyTree;
    const kept = this.#kept.get(oid);
    if (kept instanceof FoundTree) return kept;
    const { type, content } = await this.#reader.read(oid);
    if (type !== 'tree' || !isTree(content)) throw damaged(oid, 'tree');
    return this.keepTree(oid, content);
  }

  /** Caches a tree that was just written: it is the next one to be read. */
  keepTree(oid: Oid, content: Uint8Array): Tree {
    const tree = new FoundTree(content);
    this.#kept.set([oid], tree, content.length * BYTES_A_TREE_BYTE + BYTES_AN_OBJECT);
    return tree;
  }

  /** A folder in its stored form, for callers that need only a part of it. Nothing is cached here. */
  async treeBytes(oid: Oid): Promise<Uint8Array> {
    if (oid === EMPTY_TREE) return new Uint8Array(0);
    const { type, content } = await this.#reader.read(oid);
    if (type !== 'tree') throw damaged(oid, 'tree');
    return content;
  }

  async blob(oid: Oid): Promise<Uint8Array> {
    const { type, content } = await this.#reader.read(oid);
    if (type !== 'blob') throw damaged(oid, 'blob');
    return content;
  }

  /** The length of a blob, without reading it if the storage can tell. */
  async blobSize(oid: Oid): Promise<number> {
    return this.#reader.size?.(oid) ?? (await this.blob(oid)).length;
  }

  /** The first bytes of a blob, without reading the rest if the storage can. */
  async blobBeginning(oid: Oid, most: number): Promise<Uint8Array> {
    return this.#reader.beginning?.(oid, most) ?? (await this.blob(oid)).subarray(0, most);
  }

  /** Null if `oid` is not a blob of this repository. */
  async findBlob(oid: Oid): Promise<Uint8Array | null> {
    const object = await readIfThere(this.#reader, oid);
    return object?.type === 'blob' ? object.content : null;
  }

  #keepCommit(oid: Oid, { type, content }: GitObject): Commit {
    const commit = type === 'commit' ? parseCommit(content) : null;
    if (commit === null || commit.missing !== null) throw damaged(oid, 'commit');
    this.#kept.set([oid], commit, content.length * 2 + BYTES_AN_OBJECT);
    return commit;
  }
}

/** A tree that is parsed whole only if a caller wants more than an item or two, which is rare. */
class FoundTree implements Tree {
  readonly content: Uint8Array;
  #items: readonly TreeEntry[] | null = null;
  /** The results of searches, until the whole tree is parsed. */
  readonly #byName = new Map<Name, TreeEntry | undefined>();
  #hasAll = false;

  constructor(content: Uint8Array) {
    this.content = content;
  }

  get items(): readonly TreeEntry[] {
    this.#items ??= parseTree(this.content).entries;
    return this.#items;
  }

  find(name: Name): TreeEntry | undefined {
    const known = this.#byName.get(name);
    if (known !== undefined || this.#hasAll || this.#byName.has(name)) return known;
    if (this.#byName.size === MAX_SEARCHES) {
      // Only a damaged folder has several items of one name. The first one counts, as in a search.
      for (const item of this.items) if (!this.#byName.get(item.name)) this.#byName.set(item.name, item);
      this.#hasAll = true;
      return this.#byName.get(name);
    }
    const found = findEntry(this.content, name);
    this.#byName.set(name, found);
    return found;
  }
}

const MAX_SEARCHES = 4;

const emptyTree: Tree = new FoundTree(new Uint8Array());

/**
 * Measured with names of 20 letters: an item takes 48 bytes in the tree, and 200 with its strings and its map
 * slot.
 */
const BYTES_A_TREE_BYTE = 5;
/** The cost of an object, including the cache's bookkeeping. */
const BYTES_AN_OBJECT = 500;
