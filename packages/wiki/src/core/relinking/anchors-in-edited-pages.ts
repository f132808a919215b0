import { inBatches } from '../../scheduling/in-batches.ts';
import { inTurns } from '../../scheduling/in-turns.ts';
import { pagePathOf } from '../paths/page-path.ts';
import type { Snapshot } from '../ports.ts';
import { editedAnchors } from '../text/merging/edited-anchors.ts';
import type { AnchorMover } from '../text/merging/merged-anchors.ts';
import { decodeText } from '../text/text-encoding.ts';

/**
 * The new targets of anchors in edited pages, by the old tree paths of those pages. Leaves out pages whose
 * headings, blocks and ids stay and are not alike, and pages whose place a merge or a move gave to another one.
 */
export async function anchorsInEditedPages(tree: {
  before: Snapshot;
  after: Snapshot;
  paths: readonly string[];
  moved: ReadonlyMap<string, string>;
  joined: ReadonlyMap<string, unknown>;
}): Promise<Map<string, AnchorMover>> {
  const places = new Set(tree.moved.values());
  const found = await inBatches(tree.paths, async (path) => {
    const isReplaced = places.has(path) && !tree.moved.has(path);
    if (pagePathOf(path) === null || tree.joined.has(path) || isReplaced) return [];
    const old = await tree.before.entry(path);
    const now = old && (await tree.after.entry(tree.moved.get(path) ?? path));
    if (old === null || now === null || old.oid === now.oid) return [];
    const before = decodeText(await tree.before.blob(old.oid));
    const after = decodeText(await tree.after.blob(now.oid));
    const mover = await inTurns(editedAnchors(before.text, after.text));
    return mover === null ? [] : [[path, mover] as const];
  });
  return new Map(found.flat());
}
