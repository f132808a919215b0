import { LruCache } from '../storage/files/lru-cache.ts';
import type { GitObject, ObjectReader, Oid } from '../storage/storage.ts';
import { type Commit, parseCommit } from './commit-format.ts';
import type { Name } from './names.ts';
import { damaged, readIfThere } from './storage-failures.ts';
import { findItem, isTree, parseTree, type TreeItem } from './tree-format.ts';

/** A folder: the tree object, its items in stored order, and by name. */
export interface Tree {
  readonly content: Uint8Array;
  readonly items: readonly TreeItem[];
  find(name: Name): TreeItem | undefined;
}

/**
 * Commits and trees, parsed. Objects never change, so what was parsed is kept, under a budget of bytes. What should
 * be in the repository and is not, or is something else, is `internal`: the repository is damaged.
 */
export class Objects {
  readonly #reader: ObjectReader;
  readonly #kept: LruCache<Commit | FoundTree>;

  /** `cacheBytes` is about what the parsed objects take in memory. */
  constructor(reader: ObjectReader, cacheBytes: number) {
    this.#reader = reader;
    this.#kept = new LruCache(cacheBytes);
  }

  async commit(oid: Oid): Promise<Commit> {
    const kept = this.#kept.get(oid);
    if (kept && !(kept instanceof FoundTree)) return kept;
    return this.#keepCommit(oid, await this.#reader.read(oid));
  }

  /** Null where `oid` is not a commit of this repository. */
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

  /** What has just been written is looked at next. */
  keepTree(oid: Oid, content: Uint8Array): Tree {
    const tree = new FoundTree(content);
    this.#kept.set([oid], tree, content.length * BYTES_A_TREE_BYTE + BYTES_AN_OBJECT);
    return tree;
  }

  /** A folder as it is stored, for who needs but a part of it. Nothing is kept here. */
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

  /** Null where `oid` is not a blob of this repository. */
  async findBlob(oid: Oid): Promise<Uint8Array | null> {
    const object = await readIfThere(this.#reader, oid);
    return object?.type === 'blob' ? object.content : null;
  }

  #keepCommit(oid: Oid, { type, content }: GitObject): Commit {
    const commit = type === 'commit' ? parseCommit(content) : null;
    if (commit === null) throw damaged(oid, 'commit');
    this.#kept.set([oid], commit, content.length * 2 + BYTES_AN_OBJECT);
    return commit;
  }
}

/** Most folders are looked into for an item or two: so all are parsed only for whoever wants more. */
class FoundTree implements Tree {
  readonly content: Uint8Array;
  #items: readonly TreeItem[] | null = null;
  /** What was searched for, until that is all. */
  readonly #byName = new Map<Name, TreeItem | undefined>();
  #hasAll = false;

  constructor(content: Uint8Array) {
    this.content = content;
  }

  get items(): readonly TreeItem[] {
    this.#items ??= parseTree(this.content) ?? [];
    return this.#items;
  }

  find(name: Name): TreeItem | undefined {
    const known = this.#byName.get(name);
    if (known !== undefined || this.#hasAll || this.#byName.has(name)) return known;
    if (this.#byName.size === MOST_SEARCHES) {
      // Of items of one name, which only a damaged folder has, the first is meant, as when it is searched for.
      for (const item of this.items) if (!this.#byName.get(item.name)) this.#byName.set(item.name, item);
      this.#hasAll = true;
      return this.#byName.get(name);
    }
    const found = findItem(this.content, name);
    this.#byName.set(name, found);
    return found;
  }
}

const MOST_SEARCHES = 4;

/** Git knows the empty tree without its being stored, and often does not store it. */
export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const emptyTree: Tree = new FoundTree(new Uint8Array());

/** Measured with names of 20 letters: an item takes 48 bytes, and 200 with its strings and its place in the map. */
const BYTES_A_TREE_BYTE = 5;
/** An object with what the cache keeps beside it. */
const BYTES_AN_OBJECT = 500;
