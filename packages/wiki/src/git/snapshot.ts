import { WikiError } from '../contract/errors.ts';
import { isHostileEntry, isHostilePath } from '../core/paths/hostile-path.ts';
import type { TreeEntry as FileEntry, FolderEntry, Snapshot } from '../core/ports.ts';
import { decodeName, encodeName, type Name, readableName } from '../formats/names.ts';
import type { Oid } from '../formats/oid.ts';
import { fileMode, kindOf, type TreeEntry } from '../formats/tree.ts';
import { yielding } from '../scheduling/yielding.ts';
import type { Objects, Tree } from './objects.ts';

/** The tree of a commit, or of the empty wiki if `commit` is null. */
export async function snapshotOf(objects: Objects, commit: Oid | null): Promise<Snapshot> {
  if (commit === null) return emptySnapshot(objects);
  return new TreeSnapshot(objects, commit, (await objects.commit(commit)).tree);
}

function emptySnapshot(objects: Objects): Snapshot {
  return {
    commit: null,
    entry: async () => null,
    folder: async (path) => (path === '' ? [] : null),
    async *files() {},
    async *quarantined() {},
    blob: (oid) => findContent(objects, oid),
    size: (oid) => objects.blobSize(oid),
    beginning: (oid, most) => objects.blobBeginning(oid, most),
  };
}

class TreeSnapshot implements Snapshot {
  readonly commit: Oid;
  readonly #objects: Objects;
  readonly #root: Oid;
  /**
   * The most recently searched folder: one that is too large for the cache would be read for each of its
   * files.
   */
  #last: { path: string; tree: Promise<Tree | null> } | null = null;

  constructor(objects: Objects, commit: Oid, root: Oid) {
    this.#objects = objects;
    this.commit = commit;
    this.#root = root;
  }

  async entry(path: string): Promise<FileEntry | null> {
    if (isHostilePath(path)) return null;
    const slash = path.lastIndexOf('/');
    const tree = await this.#findFolder(slash < 0 ? '' : path.slice(0, slash));
    const item = tree?.find(encodeName(path.slice(slash + 1)));
    if (!item || kindOf(item) !== 'file') return null;
    return { path, oid: item.oid, mode: fileMode(item) };
  }

  async folder(path: string): Promise<FolderEntry[] | null> {
    const tree = await this.#findFolder(path);
    if (tree === null) return null;
    return tree.items.flatMap((item) => {
      const name = shownName(path === '' ? '' : `${path}/`, item.name);
      return name === null ? [] : [{ name, kind: kindOf(item), oid: item.oid }];
    });
  }

  async *files(folder = ''): AsyncIterable<FileEntry> {
    for await (const { path, item, isShown } of this.#walk(folder)) {
      if (isShown && kindOf(item) === 'file') yield { path, oid: item.oid, mode: fileMode(item) };
    }
  }

  async *quarantined(): AsyncIterable<string> {
    for await (const { path, isShown } of this.#walk('')) if (!isShown) yield path;
  }

  /** Every item below a folder, in git's order. Does not enter quarantined folders. */
  async *#walk(folder: string): AsyncIterable<{ path: string; item: TreeEntry; isShown: boolean }> {
    const root = await this.#findFolder(folder);
    if (root === null) return;
    let items = 0;
    const pause = yielding();
    const open = [iterate(folder === '' ? '' : `${folder}/`, root)];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      // A submodule or an empty folder gives the caller no file to pause at.
      const paused = pause();
      if (paused !== undefined) await paused;
      const { value: item, done } = top.items.next();
      if (done) {
        open.pop();
        continue;
      }
      items += 1;
      if (items > MAX_ITEMS) throw tooManyFiles();
      const name = shownName(top.prefix, item.name);
      const path = top.prefix + (name ?? readableName(item.name));
      yield { path, item, isShown: name !== null };
      if (kindOf(item) !== 'folder' || name === null) continue;
      open.push(iterate(`${path}/`, await this.#objects.tree(item.oid)));
    }
  }

  blob(oid: Oid): Promise<Uint8Array> {
    return findContent(this.#objects, oid);
  }

  size(oid: Oid): Promise<number> {
    return this.#objects.blobSize(oid);
  }

  beginning(oid: Oid, most: number): Promise<Uint8Array> {
    return this.#objects.blobBeginning(oid, most);
  }

  async #findFolder(path: string): Promise<Tree | null> {
    if (this.#last?.path === path) return this.#last.tree;
    const tree = this.#readFolder(path);
    // The promise is stored, since files are looked up in parallel.
    this.#last = { path, tree };
    try {
      return await tree;
    } catch (error) {
      this.#last = null;
      throw error;
    }
  }

  async #readFolder(path: string): Promise<Tree | null> {
    let tree = await this.#objects.tree(this.#root);
    if (path === '') return tree;
    if (isHostilePath(path)) return null;
    for (const part of path.split('/')) {
      const item = tree.find(encodeName(part));
      if (!item || kindOf(item) !== 'folder') return null;
      tree = await this.#objects.tree(item.oid);
    }
    return tree;
  }
}

/** The name of an item for all readers of the wiki, or null if nobody may see it. */
function shownName(prefix: string, name: Name): string | null {
  const text = decodeName(name);
  return text === null || isHostileEntry(prefix, text) ? null : text;
}

/** A few folders that contain one another several times name more files than fit into any memory. */
const MAX_ITEMS = 1_000_000;

/** The error for a commit that names more items than any wiki has. */
export function tooManyFiles(): WikiError {
  return new WikiError('too_large', {
    happened: `A commit of the wiki names more than ${MAX_ITEMS} files.`,
    now: 'Nothing was changed.',
    next: 'Pages can still be read by their paths. Have the person who runs the wiki look at what was pushed last, and revert it.',
  });
}

function iterate(prefix: string, tree: Tree): { prefix: string; items: Iterator<TreeEntry, undefined> } {
  return { prefix, items: tree.items.values() };
}

/** Callers may pass made-up versions, so the blob may well be missing. */
async function findContent(objects: Objects, oid: Oid): Promise<Uint8Array> {
  const content = await objects.findBlob(oid);
  if (content !== null) return content;
  throw new WikiError('not_found', {
    happened: `The repository holds no content with the id ${oid}.`,
    now: 'Nothing was changed.',
    next: 'Read the page again and use the version that it has now.',
  });
}
