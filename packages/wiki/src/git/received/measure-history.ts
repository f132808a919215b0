import { throwIfCancelled } from '../../contract/errors.ts';
import type { Oid } from '../../formats/oid.ts';
import { kindOf, parseTree, type TreeEntry } from '../../formats/tree.ts';
import { differentPart } from '../../formats/tree-bytes.ts';
import { type Yield, yielding } from '../../scheduling/yielding.ts';
import type { Objects } from '../objects.ts';
import { BOUNDS } from './bounds.ts';
import { OF_BUNDLE, type Refusals } from './refusals.ts';

/** The total content of a folder, all the way down. */
interface Content {
  /** Files, submodules and empty folders. */
  files: number;
  pathBytes: number;
  /** The nesting depth of the folders. */
  depth: number;
}

/**
 * Counts the work of listing the files and comparing the commits of a complete history, and stops as soon as
 * that is too much: a folder that contains another one twice, which contains the next one twice, and so on,
 * names millions of files in some hundred bytes. Throws `too_large`.
 */
export class HistoryMeasure {
  readonly #objects: Objects;
  readonly #contents = new Map<Oid, Content>();
  readonly #trees = new Map<Oid, Oid>();
  readonly #yield: Yield = yielding(TURN_MS);
  readonly #signal: AbortSignal | undefined;
  readonly #refusals: Refusals;
  #changes = 0;
  #comparedBytes = 0;

  constructor(objects: Objects, signal?: AbortSignal, refusals: Refusals = OF_BUNDLE) {
    this.#objects = objects;
    this.#signal = signal;
    this.#refusals = refusals;
  }

  /**
   * The number of commits, of those that are new. Older ones are in the wiki already. Calls `progress` with the
   * count so far.
   */
  async measure(
    tip: Oid,
    progress: (commits: number) => void = () => undefined,
    isNew: (commit: Oid) => boolean = () => true,
  ): Promise<number> {
    const seen = new Set([tip]);
    for (const oid of seen) {
      const { tree, parents } = await this.#objects.commit(oid);
      this.#trees.set(oid, tree);
      if (parents.length > BOUNDS.parents) {
        throw this.#refusals.tooLarge(`a commit of it has more than ${BOUNDS.parents} parents`);
      }
      const { files } = await this.#contentOf(tree, 0);
      if (parents.length === 0) this.#countChanges(files);
      for (const parent of new Set(parents)) {
        await this.#compare(await this.#treeOf(parent), tree);
        if (isNew(parent)) seen.add(parent);
      }
      progress(seen.size);
    }
    return seen.size;
  }

  /** Many commits may name one parent, which takes long to parse. */
  async #treeOf(commit: Oid): Promise<Oid> {
    await this.#pause();
    const tree = this.#trees.get(commit) ?? (await this.#objects.commit(commit)).tree;
    this.#trees.set(commit, tree);
    return tree;
  }

  async #contentOf(tree: Oid, above: number): Promise<Content> {
    const known = this.#contents.get(tree);
    if (above + (known?.depth ?? 1) > BOUNDS.folderDepth) {
      throw this.#refusals.tooLarge(`its folders lie more than ${BOUNDS.folderDepth} deep in one another`);
    }
    if (known !== undefined) return known;
    await this.#pause();
    const content: Content = { files: 0, pathBytes: 0, depth: 1 };
    for (const item of parseTree(await this.#objects.treeBytes(tree)).entries) {
      const below = kindOf(item) === 'folder' ? await this.#contentOf(item.oid, above + 1) : null;
      // A submodule is an entry that every list passes over, and so is an empty folder.
      const files = Math.max(1, below?.files ?? 1);
      content.files += files;
      content.pathBytes += files * (item.name.length + 1) + (below?.pathBytes ?? 0);
      content.depth = Math.max(content.depth, 1 + (below?.depth ?? 0));
      requireListable(content, this.#refusals);
    }
    this.#contents.set(tree, content);
    return content;
  }

  /** Finds a commit's changes in the same way as the history operations do. */
  async #compare(before: Oid | null, after: Oid | null): Promise<void> {
    if (before === after) return;
    await this.#pause();
    const [oldTree, newTree] = [await this.#bytesOf(before), await this.#bytesOf(after)];
    const { from, oldEnd, newEnd } = differentPart(oldTree, newTree);
    this.#countCompared(oldEnd - from + (newEnd - from) + LEAST_COMPARED_BYTES);
    const old = itemsByName(oldTree.subarray(from, oldEnd));
    for (const item of parseTree(newTree.subarray(from, newEnd)).entries) {
      const key = keyOf(item);
      const other = old.get(key);
      old.delete(key);
      if (other?.oid === item.oid && other.mode === item.mode) continue;
      if (kindOf(item) === 'folder') await this.#compare(other?.oid ?? null, item.oid);
      else this.#countChanges(1);
    }
    for (const item of old.values()) {
      if (kindOf(item) === 'folder') await this.#compare(item.oid, null);
      else this.#countChanges(1);
    }
  }

  async #bytesOf(tree: Oid | null): Promise<Uint8Array> {
    return tree === null ? NOTHING : this.#objects.treeBytes(tree);
  }

  #countChanges(files: number): void {
    this.#changes += files;
    if (this.#changes > BOUNDS.changes) {
      throw this.#refusals.tooLarge(`its commits change files more than ${BOUNDS.changes} times`);
    }
  }

  #countCompared(bytes: number): void {
    this.#comparedBytes += bytes;
    if (this.#comparedBytes > BOUNDS.comparedBytes) {
      throw this.#refusals.tooLarge('to compare its commits takes too long');
    }
  }

  async #pause(): Promise<void> {
    throwIfCancelled(this.#signal);
    await this.#yield();
  }
}

function requireListable({ files, pathBytes }: Content, { tooLarge }: Refusals): void {
  if (files > BOUNDS.files) {
    throw tooLarge(`a commit of it has more than ${BOUNDS.files} files`);
  }
  if (pathBytes > BOUNDS.pathBytes) {
    throw tooLarge(`the paths of one of its commits have more than ${BOUNDS.pathBytes} bytes`);
  }
}

function itemsByName(bytes: Uint8Array): Map<string, TreeEntry> {
  return new Map(parseTree(bytes).entries.map((item) => [keyOf(item), item]));
}

/** A folder and a file of one name are two items. */
function keyOf(item: TreeEntry): string {
  return kindOf(item) === 'folder' ? `${item.name}/` : item.name;
}

const NOTHING = new Uint8Array();
const TURN_MS = 20;
/**
 * Reading two folders takes as long as comparing this many bytes of entries, however similar the folders are.
 */
const LEAST_COMPARED_BYTES = 1_000;
