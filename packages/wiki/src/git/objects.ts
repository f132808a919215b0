import { LruCache } from '../storage/files/lru-cache.ts';
import type { GitObject, ObjectReader, Oid } from '../storage/storage.ts';
import { type Commit, parseCommit } from './commit-format.ts';
import type { Name } from './names.ts';
import { damaged, readIfThere } from './storage-failures.ts';
import { countItems, findItem, parseTree, type TreeItem } from './tree-format.ts';

/** A folder: its items in stored order, and by name. */
export interface Tree {
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
    const count = type === 'tree' ? countItems(content) : null;
    if (count === null) throw damaged(oid, 'tree');
    return this.#keepTree(oid, new FoundTree(content), count);
  }

  /** What has just been written is looked at next. `items` in stored order. */
  keepTree(oid: Oid, items: readonly TreeItem[]): Tree {
    return this.#keepTree(oid, new FoundTree(items), items.length);
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

  #keepTree(oid: Oid, tree: FoundTree, itemCount: number): Tree {
    this.#kept.set([oid], tree, itemCount * BYTES_AN_ITEM + BYTES_AN_OBJECT);
    return tree;
  }

  #keepCommit(oid: Oid, { type, content }: GitObject): Commit {
    const commit = type === 'commit' ? parseCommit(content) : null;
    if (commit === null) throw damaged(oid, 'commit');
    this.#kept.set([oid], commit, content.length * 2 + BYTES_AN_OBJECT);
    return commit;
  }
}

/** Most folders are looked into once, for one item: so the others are parsed only for whoever comes again. */
class FoundTree implements Tree {
  /** The items, or the bytes of a tree object. */
  #stored: readonly TreeItem[] | Uint8Array;
  #byName: Map<Name, TreeItem> | null = null;
  #wasSearched = false;

  constructor(stored: readonly TreeItem[] | Uint8Array) {
    this.#stored = stored;
  }

  get items(): readonly TreeItem[] {
    if (this.#stored instanceof Uint8Array) this.#stored = parseTree(this.#stored) ?? [];
    return this.#stored;
  }

  find(name: Name): TreeItem | undefined {
    if (this.#stored instanceof Uint8Array && !this.#wasSearched) {
      this.#wasSearched = true;
      return findItem(this.#stored, name);
    }
    this.#byName ??= new Map(this.items.map((item) => [item.name, item]));
    return this.#byName.get(name);
  }
}

/** Git knows the empty tree without its being stored, and often does not store it. */
export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const emptyTree: Tree = new FoundTree([]);

/** Measured with names of 20 letters: an item with its strings and its place in the map. */
const BYTES_AN_ITEM = 200;
/** An object with what the cache keeps beside it. */
const BYTES_AN_OBJECT = 500;
