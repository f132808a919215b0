import type { ObjectType, Oid } from '../../formats/oid.ts';
import { kindOf, parseTree, type TreeEntry } from '../../formats/tree.ts';
import { differentPart } from '../../formats/tree-bytes.ts';
import type { Objects } from '../objects.ts';
import type { SentCommit } from './walk-commits.ts';

/** An object that a client gets. */
export interface SentObject {
  oid: Oid;
  type: ObjectType;
  /** Another version of the same path, which the client has, or which comes before this one; null if there is none. */
  basis: Oid | null;
  /** The newer version that comes before it, also where it is no basis; null if there is none. */
  newer: Oid | null;
}

/** The part of it from which a list can be continued. */
export type ListedObject = Pick<SentObject, 'oid' | 'type' | 'newer'>;

export interface ListOptions {
  /** True if the client wants no trees and no blobs. */
  leavesOutTrees: boolean;
  /** True for a blob that it does not want. */
  leavesOutBlob(oid: Oid): Promise<boolean>;
  /** True if the basis may be an object that the client has. */
  mayBeThin: boolean;
}

export const EVERYTHING: ListOptions = {
  leavesOutTrees: false,
  leavesOutBlob: async () => false,
  mayBeThin: false,
};

/**
 * The objects of commits, in an order that depends on the history alone. Each commit is compared with its parents: only
 * what differs is read, so that the cost grows with the changes.
 */
export class ObjectList {
  readonly objects: SentObject[] = [];
  readonly #store: Objects;
  readonly #options: ListOptions;
  readonly #seen = new Set<Oid>();
  /** The newer version of an older one, which comes before it. */
  readonly #newer = new Map<Oid, Oid>();
  readonly #depths = new Map<Oid, number>();
  /** What each folder was compared with first, and what the few were that came back. */
  readonly #compared = new Map<Oid, string>();
  readonly #comparedAgain = new Map<Oid, Set<string>>();

  constructor(store: Objects, options: ListOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** @param isHad whether the client has a parent, so that an older version there can be the basis. */
  async addCommit({ oid, commit, parents }: SentCommit, isHad: (commit: Oid) => boolean): Promise<void> {
    this.#add(oid, 'commit', null);
    if (this.#options.leavesOutTrees) return;
    const before: Older[] = [];
    for (const parent of parents)
      before.push({ oid: (await this.#store.commit(parent)).tree, isHad: isHad(parent) });
    await this.#addTree(commit.tree, before);
  }

  /** Adds an object that was asked for by its id, with all that it holds. */
  async addAsked(oid: Oid, type: ObjectType): Promise<void> {
    if (type !== 'tree') this.#add(oid, type, null);
    // Asked for by its id, it is sent whatever the filter is.
    else if (!this.#seen.has(oid)) await this.#addTree(oid, []);
  }

  /** Adds what an earlier list had, after what is newer. */
  addListed(objects: readonly ListedObject[]): void {
    for (const { oid, type, newer } of objects) {
      if (newer !== null && !this.#seen.has(oid)) this.#newer.set(oid, newer);
      this.#add(oid, type, null);
    }
  }

  #add(oid: Oid, type: ObjectType, older: Older | null): void {
    if (this.#seen.has(oid)) return;
    this.#seen.add(oid);
    const newer = this.#newer.get(oid) ?? null;
    this.objects.push({ oid, type, basis: this.#basisOf(oid, newer, older), newer });
  }

  #basisOf(oid: Oid, newer: Oid | null, older: Older | null): Oid | null {
    const depth = newer === null ? 0 : (this.#depths.get(newer) ?? 0) + 1;
    if (newer !== null && depth < MAX_DEPTH) {
      this.#depths.set(oid, depth);
      return newer;
    }
    return older?.isHad && this.#options.mayBeThin ? older.oid : null;
  }

  /** Adds what the tree has and none of the older ones has at the same place. */
  async #addTree(tree: Oid, older: readonly Older[]): Promise<void> {
    if (older.some(({ oid }) => oid === tree)) return;
    this.#add(tree, 'tree', older[0] ?? null);
    this.#noteNewer(tree, older);
    if (this.#isCompared(tree, older)) return;
    const content = await this.#store.treeBytes(tree);
    for (const { item, before } of await this.#changedItems(content, older)) {
      const kind = kindOf(item);
      if (kind === 'submodule') continue;
      if (kind === 'folder') await this.#addTree(item.oid, before);
      else await this.#addBlob(item.oid, before);
    }
  }

  /**
   * True if a comparison would find nothing more. A folder that comes back, as after an undone change, is compared again
   * with what came before it there: what it has in common with the versions in between was not listed with it. Folders
   * that hold one another many times over are compared once.
   */
  #isCompared(tree: Oid, older: readonly Older[]): boolean {
    const key = older.map(({ oid }) => oid).join();
    const first = this.#compared.get(tree);
    if (first === undefined) {
      this.#compared.set(tree, key);
      return false;
    }
    const others = this.#comparedAgain.get(tree) ?? new Set();
    if ([first, ...others].some((known) => known === key || known === WHOLE)) return true;
    this.#comparedAgain.set(tree, others.add(key));
    return false;
  }

  async #addBlob(oid: Oid, older: readonly Older[]): Promise<void> {
    if (!this.#seen.has(oid) && (await this.#options.leavesOutBlob(oid))) return;
    this.#add(oid, 'blob', older[0] ?? null);
    this.#noteNewer(oid, older);
  }

  #noteNewer(oid: Oid, older: readonly Older[]): void {
    for (const { oid: old, isHad } of older) if (!isHad && !this.#seen.has(old)) this.#newer.set(old, oid);
  }

  /** The items that no older tree has, each with its versions there. */
  async #changedItems(content: Uint8Array, older: readonly Older[]): Promise<ChangedItem[]> {
    const [first, ...others] = older;
    if (first === undefined) return itemsOf(content).map((item) => ({ item, before: [] }));
    const base = await this.#store.treeBytes(first.oid);
    const { from, oldEnd, newEnd } = differentPart(base, content);
    const before = new Map(itemsOf(base.subarray(from, oldEnd)).map((item) => [keyOf(item), item]));
    const changed: ChangedItem[] = [];
    for (const item of itemsOf(content.subarray(from, newEnd))) {
      const old = before.get(keyOf(item));
      if (old?.oid === item.oid) continue;
      changed.push({ item, before: old === undefined ? [] : [{ oid: old.oid, isHad: first.isHad }] });
    }
    for (const other of others) await this.#compare(changed, other);
    return changed.filter(({ item, before }) => before.every(({ oid }) => oid !== item.oid));
  }

  async #compare(changed: readonly ChangedItem[], { oid, isHad }: Older): Promise<void> {
    const tree = await this.#store.tree(oid);
    for (const { item, before } of changed) {
      const old = tree.find(item.name);
      if (old !== undefined && keyOf(old) === keyOf(item)) before.push({ oid: old.oid, isHad });
    }
  }
}

/** A version in a parent, and whether the client has that. */
interface Older {
  oid: Oid;
  isHad: boolean;
}

interface ChangedItem {
  item: TreeEntry;
  before: Older[];
}

function itemsOf(bytes: Uint8Array): readonly TreeEntry[] {
  return parseTree(bytes).entries;
}

/** A folder and a file of one name are two items. */
function keyOf(item: TreeEntry): string {
  return `${kindOf(item)} ${item.name}`;
}

/** The key of a comparison with nothing, which lists all that a folder has. */
const WHOLE = '';
/** Git makes chains of 50 deltas at most. */
const MAX_DEPTH = 50;
