import type { Oid } from '../storage/storage.ts';
import { CommitQueue } from './commit-queue.ts';
import type { Objects } from './objects.ts';

/**
 * A newest common ancestor of two commits, null where their histories never meet. Of several (histories that
 * merged each other) it is the one with the newest date.
 *
 * Both histories are painted from the newest commit on, as git does (paint_down_to_common in commit-reach.c),
 * until what is left to look at is below a common ancestor.
 */
export async function mergeBase(objects: Objects, one: Oid, other: Oid): Promise<Oid | null> {
  const paint = new Map<Oid, number>();
  const queue = new CommitQueue();
  const common = new Set<Oid>();
  const isBelow = (oid: Oid) => ((paint.get(oid) ?? 0) & BELOW) !== 0;

  async function spread(oid: Oid, colours: number): Promise<void> {
    const before = paint.get(oid) ?? 0;
    if ((before & colours) === colours) return;
    paint.set(oid, before | colours);
    queue.add(oid, await objects.commit(oid));
  }

  await spread(one, ONE);
  await spread(other, OTHER);
  while (queue.some(({ oid }) => !isBelow(oid))) {
    const next = queue.take();
    if (next === null) break;
    let colours = paint.get(next.oid) ?? 0;
    if (colours === (ONE | OTHER)) {
      common.add(next.oid);
      colours |= BELOW;
    }
    for (const parent of next.commit.parents) await spread(parent, colours);
  }
  for (const oid of common) if (!isBelow(oid)) return oid;
  return null;
}

const ONE = 1;
const OTHER = 2;
/** An ancestor of a common ancestor. */
const BELOW = 4;
