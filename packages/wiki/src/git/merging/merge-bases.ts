import type { Oid } from '../../formats/oid.ts';
import { CommitQueue } from '../history/commit-queue.ts';
import type { Objects } from '../objects.ts';

/**
 * The newest common ancestors of two commits, newest first, and only the first of them if there are very many. None if
 * their histories never meet, and several if they merged each other. With wrong dates there may be others that one of
 * them reaches.
 *
 * Both histories are painted from the newest commit on, as git does (paint_down_to_common in commit-reach.c),
 * until all remaining commits are below a common ancestor.
 */
export async function mergeBases(objects: Objects, one: Oid, other: Oid): Promise<Oid[]> {
  const paint = new Map<Oid, number>();
  const queue = new CommitQueue();
  /** Those in the queue that are not below. A search for one would be quadratic in a merge of thousands. */
  const unshared = new Set<Oid>();
  const common = new Set<Oid>();
  const isBelow = (oid: Oid) => ((paint.get(oid) ?? 0) & BELOW) !== 0;

  async function spread(oid: Oid, colours: number): Promise<void> {
    const before = paint.get(oid) ?? 0;
    if ((before & colours) === colours) return;
    paint.set(oid, before | colours);
    if (isBelow(oid)) unshared.delete(oid);
    else unshared.add(oid);
    queue.add(oid, await objects.commit(oid));
  }

  await spread(one, ONE);
  await spread(other, OTHER);
  while (unshared.size > 0) {
    const next = queue.take();
    if (next === null) break;
    unshared.delete(next.oid);
    let colours = paint.get(next.oid) ?? 0;
    if (colours === (ONE | OTHER)) {
      common.add(next.oid);
      colours |= BELOW;
    }
    for (const parent of next.commit.parents) await spread(parent, colours);
  }
  return [...common].filter((oid) => !isBelow(oid)).slice(0, MAX_BASES);
}

const MAX_BASES = 10;
const ONE = 1;
const OTHER = 2;
/** An ancestor of a common ancestor. */
const BELOW = 4;
