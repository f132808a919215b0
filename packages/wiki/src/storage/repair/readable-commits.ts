import type { Oid } from '../../formats/oid.ts';
import type { ChainLink } from '../commits/chain-link.ts';
import type { Run } from '../maintenance/run.ts';
import type { ObjectReader } from '../storage.ts';
import { entriesOf } from './salvage-tree.ts';
import type { Soundness } from './soundness.ts';
import { readCommit } from './stored-commit.ts';

/** The newest commit of the chain that is complete with its history; null if there is none. */
export async function lastCompleteOf(
  links: readonly ChainLink[],
  soundness: Soundness,
  run: Run,
): Promise<Oid | null> {
  const looked = run.slot<{ at: number; last: Oid | null }>('last complete', { at: 0, last: null }).value;
  // From the oldest on, so that only the new objects of each commit are read.
  for (; looked.at < links.length; looked.at += 1) {
    const { commit } = links[looked.at] as ChainLink;
    if (await soundness.isComplete(commit)) looked.last = commit;
  }
  return looked.last;
}

/** The trees of the commits, newest first, back to the last complete commit; and the lost commits. */
export async function readableTrees(
  links: readonly ChainLink[],
  lastComplete: Oid | null,
  objects: ObjectReader,
  run: Run,
): Promise<{ trees: Oid[]; lostCommits: Oid[] }> {
  const slot = run.slot<{ end: number; at: number }>('readable trees', { end: 0, at: -1 });
  if (slot.value.end !== links.length) {
    slot.value = { end: links.length, at: links.length - 1 };
    run.clear('trees', []);
    run.clear('lost commits', []);
  }
  const [trees, lostCommits] = [run.list('trees'), run.list('lost commits')];
  for (const looked = slot.value; looked.at >= 0; looked.at -= 1) {
    await run.step();
    const { commit } = links[looked.at] as ChainLink;
    const text = await readCommit(objects, commit);
    const tree = text?.tree ?? null;
    const isReadable = tree !== null && (await entriesOf(objects, tree)) !== null;
    if (isReadable) trees.add(tree);
    if (commit === lastComplete) break;
    // Without its root tree, a commit says no more about its pages than a missing one.
    if (!isReadable) lostCommits.add(commit);
    for (const parent of text?.parents ?? []) {
      if ((await readCommit(objects, parent)) === null) lostCommits.add(parent);
    }
  }
  return { trees: [...trees], lostCommits: [...lostCommits].reverse() };
}
