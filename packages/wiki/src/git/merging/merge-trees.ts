import { mergeText } from '../../core/text/three-way/merge-text.ts';
import type { Name } from '../../formats/names.ts';
import type { ObjectType, Oid } from '../../formats/oid.ts';
import { kindOf, type TreeEntry } from '../../formats/tree.ts';
import { yielding } from '../../scheduling/yielding.ts';
import { isTooLarge } from '../../storage/storage-error.ts';
import { TreeEditor } from '../change/tree-editor.ts';
import { type ItemChange, itemChanges } from '../history/tree-difference.ts';
import type { Objects } from '../objects.ts';
import { mergeBase } from './merge-base.ts';

export interface MergedTree {
  tree: Oid;
  /** The paths of the items that stay as they are in `ours`, although `theirs` changed them in another way. */
  conflicts: (readonly Name[])[];
}

export interface MergeStore {
  write(type: ObjectType, content: Uint8Array): Promise<Oid>;
  /** Makes sure that the new commit reaches a blob of the other side. */
  take(blob: Oid): Promise<unknown>;
}

/**
 * Brings what `theirs` changed since the merge base into the tree of `ours`. Files that both sides changed are merged
 * line by line if that is unambiguous. Without a common ancestor everything in `theirs` counts as new.
 */
export async function mergeTrees(
  objects: Objects,
  { ours, theirs }: { ours: Oid; theirs: Oid },
  store: MergeStore,
): Promise<MergedTree> {
  const [ourCommit, theirCommit, base] = await Promise.all([
    objects.commit(ours),
    objects.commit(theirs),
    mergeBase(objects, ours, theirs),
  ]);
  const baseTree = base === null ? null : (await objects.commit(base)).tree;
  const changes = await itemChanges(objects, baseTree, theirCommit.tree);
  const editor = new TreeEditor(objects, ourCommit.tree);
  const conflicts = await apply(changes, editor, objects, store);
  return { tree: await editor.write((content) => store.write('tree', content)), conflicts };
}

/**
 * Makes the changes that can be made and returns the paths of the others. Removals go first, to make room.
 */
async function apply(
  changes: readonly ItemChange[],
  editor: TreeEditor,
  objects: Objects,
  store: MergeStore,
): Promise<(readonly Name[])[]> {
  const conflicts: (readonly Name[])[] = [];
  const pause = yielding();
  for (const change of [...changes.filter(isRemoval), ...changes.filter((other) => !isRemoval(other))]) {
    await pause();
    const ours = await editor.get(change.path);
    if (same(ours, change.after)) continue;
    const merged = await mergeItem(change, ours, objects, store).catch(conflictIfTooLarge);
    if (merged === null) await editor.remove(change.path);
    else if (merged === 'conflict' || (await editor.set(change.path, merged)) !== null) {
      conflicts.push(change.path);
    }
  }
  return conflicts.sort((one, other) => (one.join('/') < other.join('/') ? -1 : 1));
}

/**
 * Leaves a file that is too large to be read out of the merge: refusing the whole commit would stop the wiki.
 */
function conflictIfTooLarge(error: unknown): 'conflict' {
  if (isTooLarge(error)) return 'conflict';
  throw error;
}

/** The merge of both sides of an item, or null if the item is removed. */
async function mergeItem(
  { before, after }: ItemChange,
  ours: TreeEntry | null,
  objects: Objects,
  store: MergeStore,
): Promise<TreeEntry | null | 'conflict'> {
  if (same(ours, before)) {
    if (after !== null && kindOf(after) !== 'submodule') await store.take(after.oid);
    return after;
  }
  if (!isFile(before) || !isFile(after) || !isFile(ours)) return 'conflict';
  const mode = ours.mode === before.mode ? after.mode : ours.mode;
  if (after.oid === before.oid || after.oid === ours.oid) return { ...ours, mode };
  if (ours.oid === before.oid) {
    await store.take(after.oid);
    return { ...after, mode };
  }
  const contents = await Promise.all([before, ours, after].map(({ oid }) => objects.blob(oid)));
  const text = mergeText(...(contents as [Uint8Array, Uint8Array, Uint8Array]));
  return text === null ? 'conflict' : { ...ours, mode, oid: await store.write('blob', text) };
}

function isRemoval(change: ItemChange): boolean {
  return change.after === null;
}

function isFile(item: TreeEntry | null): item is TreeEntry {
  return item !== null && kindOf(item) === 'file';
}

function same(one: TreeEntry | null, other: TreeEntry | null): boolean {
  return one?.oid === other?.oid && one?.mode === other?.mode;
}
