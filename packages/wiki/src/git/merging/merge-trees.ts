import { mergeText } from '../../core/text/three-way/merge-text.ts';
import type { Name } from '../../formats/names.ts';
import { type GitObject, type ObjectType, type Oid, objectId } from '../../formats/oid.ts';
import { kindOf, type TreeEntry } from '../../formats/tree.ts';
import { yielding } from '../../scheduling/yielding.ts';
import type { ObjectReader } from '../../storage/storage.ts';
import { isTooLarge } from '../../storage/storage-error.ts';
import { TreeEditor } from '../change/tree-editor.ts';
import { type ItemChange, itemChanges } from '../history/tree-difference.ts';
import { Objects } from '../objects.ts';
import { mergeBases } from './merge-bases.ts';

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
  stored: ObjectReader,
  { ours, theirs }: { ours: Oid; theirs: Oid },
  store: MergeStore,
): Promise<MergedTree> {
  const scratch = new Map<Oid, GitObject>();
  const read = async (oid: Oid) => scratch.get(oid) ?? stored.read(oid);
  const objects = new Objects({ read }, CACHE_BYTES);
  const base = await baseOf(objects, await mergeBases(objects, ours, theirs), {
    take: async () => undefined,
    write: async (type, content) => {
      const oid = objectId(type, content);
      scratch.set(oid, { type, content });
      return oid;
    },
  });
  const [ourTree, theirTree] = await Promise.all([ours, theirs].map((commit) => treeOf(objects, commit)));
  return mergeSince(objects, base, { ours: ourTree as Oid, theirs: theirTree as Oid }, store);
}

interface Base {
  tree: Oid | null;
  /** The paths where several merge bases contradict one another. */
  disputed: readonly (readonly Name[])[];
}

/**
 * The tree since which the sides changed something. Several merge bases are merged first, as git does it: with one of
 * them alone, what a side had decided against would count as its change.
 */
async function baseOf(objects: Objects, bases: readonly Oid[], store: MergeStore): Promise<Base> {
  const [first, ...others] = bases;
  if (first === undefined) return NO_BASE;
  let base: Base = { tree: await treeOf(objects, first), disputed: [] };
  for (const other of others) {
    const [before] = await mergeBases(objects, first, other);
    const since: Base =
      before === undefined ? NO_BASE : { tree: await treeOf(objects, before), disputed: [] };
    const sides = { ours: base.tree as Oid, theirs: await treeOf(objects, other) };
    const { tree, conflicts } = await mergeSince(objects, since, sides, store);
    base = { tree, disputed: [...base.disputed, ...conflicts] };
  }
  return base;
}

const NO_BASE: Base = { tree: null, disputed: [] };

async function mergeSince(
  objects: Objects,
  { tree, disputed }: Base,
  { ours, theirs }: { ours: Oid; theirs: Oid },
  store: MergeStore,
): Promise<MergedTree> {
  const editor = new TreeEditor(objects, ours);
  const inTheirs = new TreeEditor(objects, theirs);
  const open = new Set(disputed.map(keyOf));
  const changes = (await itemChanges(objects, tree, theirs)).filter(({ path }) => !open.has(keyOf(path)));
  const conflicts = await apply(changes, editor, objects, store);
  for (const path of disputed) {
    if (!same(await editor.get(path), await inTheirs.get(path))) conflicts.push(path);
  }
  conflicts.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  return { tree: await editor.write((content) => store.write('tree', content)), conflicts };
}

async function treeOf(objects: Objects, commit: Oid): Promise<Oid> {
  return (await objects.commit(commit)).tree;
}

function keyOf(path: readonly Name[]): string {
  return path.join('/');
}

const CACHE_BYTES = 16_000_000;

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
  return conflicts;
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
