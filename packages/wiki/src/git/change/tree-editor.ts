import type { Name } from '../../formats/names.ts';
import type { Oid } from '../../formats/oid.ts';
import { FOLDER_MODE, kindOf, serializeTree, sortKey, type TreeEntry } from '../../formats/tree.ts';
import { withEntries } from '../../formats/tree-search.ts';
import type { Objects, Tree } from '../objects.ts';

/** An obstacle to an edit: the path up to it, and the item there. */
export interface Clash {
  path: readonly Name[];
  found: 'file' | 'folder';
}

/** Writes a new tree and returns its oid. */
export type WriteTree = (content: Uint8Array) => Promise<Oid>;

/**
 * A tree that is being changed. Only folders on the path of a change are read and rewritten. Every other item
 * stays byte for byte the same.
 */
export class TreeEditor {
  readonly #objects: Objects;
  readonly #root: Folder;

  /** `base` null is the empty tree. */
  constructor(objects: Objects, base: Oid | null) {
    this.#objects = objects;
    this.#root = { base, changes: new Map() };
  }

  /** The current item at this path, if it is not a folder. */
  async get(path: readonly Name[]): Promise<TreeEntry | null> {
    const found = await this.#find(path);
    return found === null || isFolder(found) ? null : found;
  }

  /**
   * Puts an item that is not a folder at a path and makes the folders on the way. Returns the obstacle if
   * there is one.
   */
  async set(path: readonly Name[], item: Omit<TreeEntry, 'name'>): Promise<Clash | null> {
    const clash = await this.#clash(path);
    if (clash !== null) return clash;
    const name = path.at(-1) ?? '';
    const folder = await this.#openFolder(path.slice(0, -1));
    folder.changes.set(name, { mode: item.mode, name, oid: item.oid });
    return null;
  }

  /** Removes the item at a path if it is not a folder. */
  async remove(path: readonly Name[]): Promise<void> {
    if ((await this.get(path)) === null) return;
    const folder = await this.#openFolder(path.slice(0, -1));
    folder.changes.set(path.at(-1) ?? '', null);
  }

  /** Writes every changed folder and returns the root's oid. Empty folders vanish. */
  async write(write: WriteTree): Promise<Oid> {
    return (await this.#writeFolder(this.#root, write)) ?? write(new Uint8Array());
  }

  async #clash(path: readonly Name[]): Promise<Clash | null> {
    let found: TreeEntry | Folder | null = this.#root;
    for (const [depth, name] of path.entries()) {
      if (found === null) return null;
      if (!isFolder(found)) return { path: path.slice(0, depth), found: 'file' };
      found = await this.#child(found, name);
    }
    const folderInTheWay = found !== null && isFolder(found) && !(await this.#isEmpty(found));
    return folderInTheWay ? { path, found: 'folder' } : null;
  }

  async #find(path: readonly Name[]): Promise<TreeEntry | Folder | null> {
    let found: TreeEntry | Folder | null = this.#root;
    for (const name of path) {
      if (found === null || !isFolder(found)) return null;
      found = await this.#child(found, name);
    }
    return found;
  }

  /**
   * A folder of the base, viewed through a Folder without changes that is not yet part of the edited tree.
   */
  async #child(folder: Folder, name: Name): Promise<TreeEntry | Folder | null> {
    const changed = folder.changes.get(name);
    if (changed !== undefined) return changed;
    const item = (await this.#treeOf(folder))?.find(name);
    if (item === undefined) return null;
    return kindOf(item) === 'folder' ? { base: item.oid, changes: new Map() } : item;
  }

  /** The folder at a path without obstacles, ready for changes. */
  async #openFolder(path: readonly Name[]): Promise<Folder> {
    let folder = this.#root;
    for (const name of path) {
      const found = await this.#child(folder, name);
      const child: Folder = found !== null && isFolder(found) ? found : { base: null, changes: new Map() };
      folder.changes.set(name, child);
      folder = child;
    }
    return folder;
  }

  async #isEmpty(folder: Folder): Promise<boolean> {
    for (const child of folder.changes.values()) {
      if (child !== null && !(isFolder(child) && (await this.#isEmpty(child)))) return false;
    }
    const items = (await this.#treeOf(folder))?.items ?? [];
    return items.every((item) => folder.changes.has(item.name));
  }

  /** Read once: a folder that is too large for the cache would be read again for each change in it. */
  async #treeOf(folder: Folder): Promise<Tree | null> {
    if (folder.base === null) return null;
    // The promise is stored, since changes are made in parallel.
    folder.tree ??= this.#objects.tree(folder.base);
    return folder.tree;
  }

  /** The oid of the folder in its current state, or null if it is empty. */
  async #writeFolder(folder: Folder, write: WriteTree): Promise<Oid | null> {
    const changes = new Map<Name, TreeEntry | null>();
    for (const [name, change] of folder.changes) {
      changes.set(name, await this.#writtenItem(name, change, write));
    }
    const base = await this.#treeOf(folder);
    const content =
      (base && changes.size <= MAX_SEARCHED_FOR && withEntries(base.content, changes.values())) ||
      serializeTree(mergeItems(base?.items ?? [], changes));
    if (content.length === 0) return null;
    if (base && Buffer.compare(base.content, content) === 0) return folder.base;
    const oid = await write(content);
    this.#objects.keepTree(oid, content);
    return oid;
  }

  async #writtenItem(
    name: Name,
    change: TreeEntry | Folder | null,
    write: WriteTree,
  ): Promise<TreeEntry | null> {
    if (change === null || !isFolder(change)) return change;
    const oid = await this.#writeFolder(change, write);
    return oid === null ? null : { mode: FOLDER_MODE, name, oid };
  }
}

/** Each item is searched for by itself. Above this number, one pass over the folder is cheaper. */
const MAX_SEARCHED_FOR = 16;

/** A folder of the base with its changes; null stands for a removed item. */
interface Folder {
  readonly base: Oid | null;
  tree?: Promise<Tree>;
  readonly changes: Map<Name, TreeEntry | Folder | null>;
}

function isFolder(found: TreeEntry | Folder): found is Folder {
  return 'changes' in found;
}

/** The items with the changes in their places. Unchanged items keep their order. */
function mergeItems(items: readonly TreeEntry[], changes: Map<Name, TreeEntry | null>): TreeEntry[] {
  const fresh = [...changes.values()].filter((item) => item !== null);
  fresh.sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
  const merged: TreeEntry[] = [];
  let next = 0;
  for (const item of items) {
    if (changes.has(item.name)) continue;
    const key = sortKey(item);
    for (let first = fresh[next]; first && sortKey(first) < key; first = fresh[++next]) merged.push(first);
    merged.push(item);
  }
  return merged.concat(fresh.slice(next));
}
