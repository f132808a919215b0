import { isHostilePath } from '../../core/paths/hostile-path.ts';
import type { FileChange, TreeEntry as FileEntry } from '../../core/ports.ts';
import { decodeName, type Name, readableName } from '../../formats/names.ts';
import { EMPTY_TREE, type Oid } from '../../formats/oid.ts';
import { fileMode, kindOf, parseTree, sortKey, type TreeEntry } from '../../formats/tree.ts';
import { differentPart } from '../../formats/tree-bytes.ts';
import { yielding } from '../../scheduling/yielding.ts';
import type { Objects } from '../objects.ts';
import { tooManyFiles } from '../snapshot.ts';
import { damaged } from '../storage-failures.ts';

/** An item that is not a folder and differs between two trees. */
export interface ItemChange {
  /** The folders that lead to it, then its own name. */
  path: readonly Name[];
  before: TreeEntry | null;
  after: TreeEntry | null;
}

/**
 * The files that differ between two trees, in path order, and the paths of other items. Null stands for the empty tree.
 */
export async function everyFileChange(
  objects: Objects,
  before: Oid | null,
  after: Oid | null,
): Promise<{ files: FileChange[]; others: string[] }> {
  const files: FileChange[] = [];
  const others: string[] = [];
  for (const change of await itemChanges(objects, before, after)) {
    const parts = change.path.map(decodeName);
    const isNamed = parts.every((part) => part !== null);
    const path = (isNamed ? parts : change.path.map(readableName)).join('/');
    const file = { path, before: fileOf(path, change.before), after: fileOf(path, change.after) };
    const isShown = isNamed && !isHostilePath(path) && (file.before !== null || file.after !== null);
    if (isShown) files.push(file);
    else others.push(path);
  }
  return { files, others };
}

/**
 * All items that differ between two trees, including symbolic links and submodules, in the order of `git
 * diff-tree -r`.
 */
export async function itemChanges(
  objects: Objects,
  before: Oid | null,
  after: Oid | null,
): Promise<ItemChange[]> {
  const changes: ItemChange[] = [];
  let foldersCompared = 0;
  const pause = yielding();
  /** The folder that is compared. One array for all: folders may be nested thousands deep. */
  const path: Name[] = [];
  await compare(before, after);
  return changes;

  /** Folders with the same oid are equal all the way down and are never read. */
  async function compare(oldOid: Oid | null, newOid: Oid | null): Promise<void> {
    if (oldOid === newOid) return;
    await pause();
    foldersCompared += 1;
    if (changes.length > MAX_CHANGES || foldersCompared > MAX_CHANGES) throw tooManyFiles();
    for (const [oldItem, newItem] of await differentPairs(objects, oldOid, newOid)) {
      const item = oldItem ?? newItem;
      if (item === null || same(oldItem, newItem)) continue;
      path.push(item.name);
      if (kindOf(item) === 'folder') await compare(oldItem?.oid ?? null, newItem?.oid ?? null);
      else changes.push({ path: [...path], before: oldItem, after: newItem });
      path.pop();
    }
  }
}

/** Pairs of items from two folders that may differ. */
async function differentPairs(objects: Objects, oldOid: Oid | null, newOid: Oid | null) {
  const oldTree = oldOid === null ? NO_ITEMS : await objects.treeBytes(oldOid);
  const newTree = newOid === null ? NO_ITEMS : await objects.treeBytes(newOid);
  const { from, oldEnd, newEnd } = differentPart(oldTree, newTree);
  return pairs(
    itemsOf(oldTree.subarray(from, oldEnd), oldOid),
    itemsOf(newTree.subarray(from, newEnd), newOid),
  );
}

/** The entries in a part of a tree. */
function itemsOf(bytes: Uint8Array, tree: Oid | null): readonly TreeEntry[] {
  const { entries, isWhole } = parseTree(bytes);
  if (!isWhole) throw damaged(tree ?? EMPTY_TREE, 'tree');
  return entries;
}

/**
 * Counts files and folders. Folders that contain one another several times name more than fits into memory.
 */
const MAX_CHANGES = 500_000;

const NO_ITEMS = new Uint8Array(0);

type Pair = [before: TreeEntry | null, after: TreeEntry | null];

/**
 * Pairs of items with the same name. A folder and a file of one name count as two items, each absent on one
 * side.
 */
function* pairs(before: readonly TreeEntry[], after: readonly TreeEntry[]): Generator<Pair> {
  let left = 0;
  let right = 0;
  while (left < before.length || right < after.length) {
    const oldItem = before[left] ?? null;
    const newItem = after[right] ?? null;
    const order = compareItems(oldItem, newItem);
    if (order <= 0) left++;
    if (order >= 0) right++;
    yield [order <= 0 ? oldItem : null, order >= 0 ? newItem : null];
  }
}

function compareItems(before: TreeEntry | null, after: TreeEntry | null): number {
  if (before === null) return 1;
  if (after === null) return -1;
  // Most items are in both trees; this avoids making their keys.
  if (before.name === after.name && before.mode === after.mode) return 0;
  const [oldKey, newKey] = [sortKey(before), sortKey(after)];
  if (oldKey === newKey) return 0;
  return oldKey < newKey ? -1 : 1;
}

function same(before: TreeEntry | null, after: TreeEntry | null): boolean {
  return before?.oid === after?.oid && before?.mode === after?.mode;
}

function fileOf(path: string, item: TreeEntry | null): FileEntry | null {
  return item !== null && kindOf(item) === 'file' ? { path, oid: item.oid, mode: fileMode(item) } : null;
}
