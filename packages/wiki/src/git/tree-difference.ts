import type { FileChange, TreeEntry } from '../core/ports.ts';
import type { Oid } from '../storage/storage.ts';
import { decodeName, type Name } from './names.ts';
import { EMPTY_TREE, type Objects } from './objects.ts';
import { damaged } from './storage-failures.ts';
import { differentPart } from './tree-bytes.ts';
import { fileMode, kindOf, parseTree, sortKey, type TreeItem } from './tree-format.ts';

/** An item that is no folder and differs between two trees. */
export interface ItemChange {
  /** The folders that lead to it, and its own name. */
  path: readonly Name[];
  before: TreeItem | null;
  after: TreeItem | null;
}

/** The files that differ between two trees, in path order; null is the empty tree. */
export async function fileChanges(
  objects: Objects,
  before: Oid | null,
  after: Oid | null,
): Promise<FileChange[]> {
  const changes: FileChange[] = [];
  for (const change of await itemChanges(objects, before, after)) {
    const parts = change.path.map(decodeName);
    if (!parts.every((part) => part !== null)) continue;
    const path = parts.join('/');
    const file = { path, before: fileOf(path, change.before), after: fileOf(path, change.after) };
    if (file.before !== null || file.after !== null) changes.push(file);
  }
  return changes;
}

/** Everything that differs between two trees, symbolic links and submodules too, in the order of `git diff-tree -r`. */
export async function itemChanges(
  objects: Objects,
  before: Oid | null,
  after: Oid | null,
): Promise<ItemChange[]> {
  const changes: ItemChange[] = [];
  await compare([], before, after);
  return changes;

  /** Folders with the same oid are the same all the way down and are never read. */
  async function compare(path: readonly Name[], oldOid: Oid | null, newOid: Oid | null): Promise<void> {
    if (oldOid === newOid) return;
    const oldTree = oldOid === null ? NO_ITEMS : await objects.treeBytes(oldOid);
    const newTree = newOid === null ? NO_ITEMS : await objects.treeBytes(newOid);
    const { from, oldEnd, newEnd } = differentPart(oldTree, newTree);
    const oldItems = parseTree(oldTree.subarray(from, oldEnd));
    const newItems = parseTree(newTree.subarray(from, newEnd));
    if (oldItems === null) throw damaged(oldOid ?? EMPTY_TREE, 'tree');
    if (newItems === null) throw damaged(newOid ?? EMPTY_TREE, 'tree');
    for (const [oldItem, newItem] of pairs(oldItems, newItems)) {
      const item = oldItem ?? newItem;
      if (item === null || same(oldItem, newItem)) continue;
      const itemPath = [...path, item.name];
      if (kindOf(item) === 'folder') await compare(itemPath, oldItem?.oid ?? null, newItem?.oid ?? null);
      else changes.push({ path: itemPath, before: oldItem, after: newItem });
    }
  }
}

const NO_ITEMS = new Uint8Array(0);

type Pair = [before: TreeItem | null, after: TreeItem | null];

/** Items of the same name side by side. A folder and a file of one name are two things, each absent on one side. */
function* pairs(before: readonly TreeItem[], after: readonly TreeItem[]): Generator<Pair> {
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

function compareItems(before: TreeItem | null, after: TreeItem | null): number {
  if (before === null) return 1;
  if (after === null) return -1;
  // Most items are in both trees; this spares them the making of keys.
  if (before.name === after.name && before.mode === after.mode) return 0;
  const [oldKey, newKey] = [sortKey(before), sortKey(after)];
  if (oldKey === newKey) return 0;
  return oldKey < newKey ? -1 : 1;
}

function same(before: TreeItem | null, after: TreeItem | null): boolean {
  return before?.oid === after?.oid && before?.mode === after?.mode;
}

function fileOf(path: string, item: TreeItem | null): TreeEntry | null {
  return item !== null && kindOf(item) === 'file' ? { path, oid: item.oid, mode: fileMode(item) } : null;
}
