import { BROUGHT_IN } from '../../core/commit-info.ts';
import { mergeText } from '../../core/text/three-way/merge-text.ts';
import { decodeName, type Name } from '../../formats/names.ts';
import type { Oid } from '../../formats/oid.ts';
import { kindOf, type TreeEntry } from '../../formats/tree.ts';
import type { Transaction } from '../../storage/storage.ts';
import { isTooLarge } from '../../storage/storage-error.ts';
import { writeCommit } from '../change/commit-builder.ts';
import { splitMessage } from '../change/commit-message.ts';
import { TreeEditor } from '../change/tree-editor.ts';
import { type ItemChange, itemChanges } from '../history/tree-difference.ts';
import { Objects } from '../objects.ts';
import { mergeBase } from './merge-base.ts';

/**
 * Brings the changes of `foreign`, a commit of native git, into the wiki as one commit on `tip`. Files that
 * both sides changed are merged line by line if that is unambiguous; else the wiki keeps its own version, and
 * the message names the file. The commit is made even if its tree is the tip's: it records that `foreign` was
 * dealt with.
 */
export async function mergeForeign(
  tip: Oid,
  foreign: Oid,
  transaction: Transaction,
  now: number,
): Promise<Oid> {
  const objects = new Objects(transaction, CACHE_BYTES);
  const [ours, theirs, base] = await Promise.all([
    objects.commit(tip),
    objects.commit(foreign),
    mergeBase(objects, tip, foreign),
  ]);
  const baseTree = base === null ? null : (await objects.commit(base)).tree;
  const changes = await itemChanges(objects, baseTree, theirs.tree);
  const editor = new TreeEditor(objects, ours.tree);
  const conflicts = await apply(changes, editor, objects, transaction);
  const { name, email, seconds, zone } = theirs.author;
  return writeCommit(objects, transaction, {
    parent: tip,
    tree: await editor.write((content) => transaction.write('tree', content)),
    author: { name, email },
    authored: { seconds, zone },
    agent: null,
    message: describe(foreign, theirs.message, conflicts),
    now,
  });
}

/**
 * Makes the changes that can be made and returns the paths of the others. Removals go first, to make room.
 */
async function apply(
  changes: readonly ItemChange[],
  editor: TreeEditor,
  objects: Objects,
  transaction: Transaction,
): Promise<string[]> {
  const conflicts: string[] = [];
  for (const change of [...changes.filter(isRemoval), ...changes.filter((other) => !isRemoval(other))]) {
    const ours = await editor.get(change.path);
    if (same(ours, change.after)) continue;
    const merged = await mergeItem(change, ours, objects, transaction).catch(conflictIfTooLarge);
    if (merged === null) await editor.remove(change.path);
    else if (merged === 'conflict' || (await editor.set(change.path, merged)) !== null) {
      conflicts.push(readable(change.path));
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
  transaction: Transaction,
): Promise<TreeEntry | null | 'conflict'> {
  if (same(ours, before)) {
    if (after === null || kindOf(after) === 'submodule') return after;
    // The tip does not reach the foreign commit's blobs, so their content goes into the pack as well.
    return { ...after, oid: await transaction.write('blob', await objects.blob(after.oid)) };
  }
  if (!isFile(before) || !isFile(after) || !isFile(ours)) return 'conflict';
  const mode = ours.mode === before.mode ? after.mode : ours.mode;
  if (after.oid === before.oid || after.oid === ours.oid) return { ...ours, mode };
  const contents = await Promise.all([before, ours, after].map(({ oid }) => objects.blob(oid)));
  const text = mergeText(...(contents as [Uint8Array, Uint8Array, Uint8Array]));
  return text === null ? 'conflict' : { ...ours, mode, oid: await transaction.write('blob', text) };
}

function describe(foreign: Oid, message: string, conflicts: readonly string[]): string {
  const subject = splitMessage(message).text.split('\n', 1)[0] ?? '';
  const said = [
    `${BROUGHT_IN} ${subject}`,
    `Commit ${foreign} was made while the wiki went on. What it changed is brought in here as one commit.`,
  ];
  if (conflicts.length > 0) {
    said.push(
      [
        `Both sides changed the following. The wiki keeps its own; the other is in ${foreign},`,
        `which stays under refs/pagetree/external/${foreign}.`,
        ...conflicts.slice(0, CONFLICTS_SHOWN).map((path) => `- ${path}`),
        ...(conflicts.length > CONFLICTS_SHOWN ? [`- and ${conflicts.length - CONFLICTS_SHOWN} more`] : []),
      ].join('\n'),
    );
  }
  return said.join('\n\n');
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

function readable(path: readonly Name[]): string {
  return path.map((name) => decodeName(name) ?? JSON.stringify(name)).join('/');
}

const CACHE_BYTES = 16_000_000;
const CONFLICTS_SHOWN = 100;
