import { throwIfCancelled } from '../../../contract/errors.ts';
import { parseCommit } from '../../../formats/commit.ts';
import { EMPTY_TREE, type ObjectType, type Oid } from '../../../formats/oid.ts';
import { kindOf, parseTree } from '../../../formats/tree.ts';
import { yielding } from '../../../scheduling/yielding.ts';
import type { ObjectReader } from '../../../storage/storage.ts';
import { BOUNDS } from '../bounds.ts';

/** The files and folders of some commits of the wiki, as far as they were looked at. */
export class KnownTrees {
  /** The root tree of the first commit. */
  readonly headTree: Oid | null;
  readonly #stored: ObjectReader;
  readonly #types = new Map<Oid, ObjectType>();
  readonly #folders = new Map<Oid, ReadonlyMap<string, Oid>>();
  /** Folders whose items are not searched yet. */
  readonly #toSearch: Set<Oid>;
  /** The objects that a search has not met yet. */
  #wanted = new Set<Oid>();
  readonly #yield = yielding();
  readonly #signal: AbortSignal | undefined;

  /** The trees of these commits. */
  static async of(stored: ObjectReader, commits: Iterable<Oid>, signal?: AbortSignal): Promise<KnownTrees> {
    const roots: Oid[] = [];
    for (const commit of commits) {
      const { tree } = parseCommit((await stored.read(commit)).content);
      if (tree !== null) roots.push(tree);
    }
    return new KnownTrees(stored, roots, signal);
  }

  private constructor(stored: ObjectReader, roots: readonly Oid[], signal: AbortSignal | undefined) {
    this.#stored = stored;
    this.#signal = signal;
    this.headTree = roots[0] ?? null;
    this.#toSearch = new Set(roots);
    for (const root of roots) this.#types.set(root, 'tree');
  }

  typeOf(oid: Oid): ObjectType | undefined {
    return this.#types.get(oid);
  }

  /** The folders in a folder of these commits, by name. From then on all its items are known. */
  async foldersOf(tree: Oid): Promise<ReadonlyMap<string, Oid>> {
    const read = this.#folders.get(tree);
    if (read !== undefined) return read;
    await this.#yield();
    const folders = new Map<string, Oid>();
    const content = tree === EMPTY_TREE ? NOTHING : (await this.#stored.read(tree)).content;
    for (const entry of parseTree(content).entries) {
      const kind = kindOf(entry);
      if (kind === 'submodule') continue;
      this.#types.set(entry.oid, kind === 'folder' ? 'tree' : 'blob');
      this.#wanted.delete(entry.oid);
      if (kind === 'folder') folders.set(entry.name, entry.oid);
    }
    this.#folders.set(tree, folders);
    return folders;
  }

  /**
   * Looks through all folders until each of these objects is known. Gives up when that takes much: an object that is
   * not found is only copied.
   */
  async search(wanted: Iterable<Oid>): Promise<void> {
    this.#wanted = new Set([...wanted].filter((oid) => !this.#types.has(oid)));
    for (const tree of this.#toSearch) {
      if (this.#wanted.size === 0 || this.#types.size > MAX_KNOWN) return;
      throwIfCancelled(this.#signal);
      for (const folder of (await this.foldersOf(tree)).values()) this.#toSearch.add(folder);
    }
  }
}

const NOTHING = new Uint8Array();
/** More than the files of one commit. They take some 60 megabytes. */
const MAX_KNOWN = 2 * BOUNDS.files;
