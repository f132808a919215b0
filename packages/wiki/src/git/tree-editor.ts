import type { Oid } from '../storage/storage.ts';
import type { Name } from './names.ts';
import type { Objects } from './objects.ts';
import { FOLDER_MODE, kindOf, serializeTree, sortKey, type TreeItem, withItems } from './tree-format.ts';

/** What an edit found in its way: the path up to there, and what is there. */
export interface Clash {
  path: readonly Name[];
  found: 'file' | 'folder';
}

/** Where new trees go; returns their oids. */
export type WriteTree = (content: Uint8Array) => Promise<Oid>;

/**
 * A tree that is being changed. Only folders on the path of a change are read and written anew; every other
 * item stays byte for byte what it was.
 */
export class TreeEditor {
  readonly #objects: Objects;
  readonly #root: Folder;

  /** `base` null is the empty tree. */
  constructor(objects: Objects, base: Oid | null) {
    this.#objects = objects;
    this.#root = { base, changes: new Map() };
  }

  /** The item that is no folder at this path, as it stands now. */
  async get(path: readonly Name[]): Promise<TreeItem | null> {
    const found = await this.#find(path);
    return found === null || isFolder(found) ? null : found;
  }

  /** Puts an item that is no folder at a path, making folders on the way; what is in the way is returned. */
  async set(path: readonly Name[], item: Omit<TreeItem, 'name'>): Promise<Clash | null> {
    const clash = await this.#clash(path);
    if (clash !== null) return clash;
    const name = path.at(-1) ?? '';
    const folder = await this.#openFolder(path.slice(0, -1));
    folder.changes.set(name, { mode: item.mode, name, oid: item.oid });
    return null;
  }

  /** Takes out what is at a path, if it is no folder. */
  async remove(path: readonly Name[]): Promise<void> {
    if ((await this.get(path)) === null) return;
    const folder = await this.#openFolder(path.slice(0, -1));
    folder.changes.set(path.at(-1) ?? '', null);
  }

  /** Writes every folder that came out different and returns the root's oid. Empty folders vanish. */
  async write(write: WriteTree): Promise<Oid> {
    return (await this.#writeFolder(this.#root, write)) ?? write(new Uint8Array());
  }

  async #clash(path: readonly Name[]): Promise<Clash | null> {
    const found = await this.#find(path);
    if (found !== null) {
      const folderInTheWay = isFolder(found) && !(await this.#isEmpty(found));
      return folderInTheWay ? { path, found: 'folder' } : null;
    }
    for (let depth = 1; depth < path.length; depth++) {
      const above = await this.#find(path.slice(0, depth));
      if (above === null) return null;
      if (!isFolder(above)) return { path: path.slice(0, depth), found: 'file' };
    }
    return null;
  }

  async #find(path: readonly Name[]): Promise<TreeItem | Folder | null> {
    let found: TreeItem | Folder | null = this.#root;
    for (const name of path) {
      if (found === null || !isFolder(found)) return null;
      found = await this.#child(found, name);
    }
    return found;
  }

  /** A folder found in the base is looked at through a Folder without changes, which belongs to nobody yet. */
  async #child(folder: Folder, name: Name): Promise<TreeItem | Folder | null> {
    const changed = folder.changes.get(name);
    if (changed !== undefined) return changed;
    const item = folder.base === null ? undefined : (await this.#objects.tree(folder.base)).find(name);
    if (item === undefined) return null;
    return kindOf(item) === 'folder' ? { base: item.oid, changes: new Map() } : item;
  }

  /** The folder at a path where nothing is in the way, ready for changes. */
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
    const items = folder.base === null ? [] : (await this.#objects.tree(folder.base)).items;
    return items.every((item) => folder.changes.has(item.name));
  }

  /** The oid of the folder as it stands now, null where nothing is left in it. */
  async #writeFolder(folder: Folder, write: WriteTree): Promise<Oid | null> {
    const changes = new Map<Name, TreeItem | null>();
    for (const [name, change] of folder.changes) {
      changes.set(name, await this.#writtenItem(name, change, write));
    }
    const base = folder.base === null ? null : await this.#objects.tree(folder.base);
    const content =
      (base && changes.size <= MOST_SEARCHED_FOR && withItems(base.content, changes.values())) ||
      serializeTree(mergeItems(base?.items ?? [], changes));
    if (content.length === 0) return null;
    if (base && Buffer.compare(base.content, content) === 0) return folder.base;
    const oid = await write(content);
    this.#objects.keepTree(oid, content);
    return oid;
  }

  async #writtenItem(
    name: Name,
    change: TreeItem | Folder | null,
    write: WriteTree,
  ): Promise<TreeItem | null> {
    if (change === null || !isFolder(change)) return change;
    const oid = await this.#writeFolder(change, write);
    return oid === null ? null : { mode: FOLDER_MODE, name, oid };
  }
}

/** Each is searched for by itself: of more it is cheaper to go over the folder once. */
const MOST_SEARCHED_FOR = 16;

/** A folder of the base with what has changed in it: null for what was taken out. */
interface Folder {
  readonly base: Oid | null;
  readonly changes: Map<Name, TreeItem | Folder | null>;
}

function isFolder(found: TreeItem | Folder): found is Folder {
  return 'changes' in found;
}

/** The items with the changes in their places; those that did not change keep their order. */
function mergeItems(items: readonly TreeItem[], changes: Map<Name, TreeItem | null>): TreeItem[] {
  const fresh = [...changes.values()].filter((item) => item !== null);
  fresh.sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
  const merged: TreeItem[] = [];
  let next = 0;
  for (const item of items) {
    if (changes.has(item.name)) continue;
    const key = sortKey(item);
    for (let first = fresh[next]; first && sortKey(first) < key; first = fresh[++next]) merged.push(first);
    merged.push(item);
  }
  return merged.concat(fresh.slice(next));
}
