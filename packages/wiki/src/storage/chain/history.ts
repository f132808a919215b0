import { parseCommit } from '../objects/commit-text.ts';
import type { ObjectReader, Oid } from '../storage.ts';
import { StorageError } from '../storage-error.ts';

/** Whether `wanted` is `from` or an ancestor of it, by any parent. It is not looked behind what `skip` answers true for. */
export async function reaches(
  objects: ObjectReader,
  from: Oid,
  wanted: Oid,
  skip: (commit: Oid) => Promise<boolean>,
): Promise<boolean> {
  const met = new Set([from]);
  for (const commit of met) {
    if (commit === wanted) return true;
    if (await skip(commit)) continue;
    for (const parent of parseCommit((await objects.read(commit)).content).parents) met.add(parent);
  }
  return false;
}

/**
 * Whether `ancestor` is `from` or an ancestor of it, by any parent. Both histories are walked from the newest commit
 * on, as git does (paint_down_to_common in commit-reach.c), until all that is left lies behind `ancestor` too: of
 * two that parted lately little is read. What cannot be read behind `ancestor` only makes the walk longer.
 */
export async function isAncestor(objects: ObjectReader, ancestor: Oid, from: Oid): Promise<boolean> {
  const behind = new Set<Oid>();
  const met = new Set<Oid>();
  /** By committer's date, the newest last. Of wrong dates it is read in another order, and as rightly. */
  const waiting: DatedCommit[] = [];

  async function add(oid: Oid, isBehind: boolean): Promise<void> {
    if (behind.has(oid) || (!isBehind && met.has(oid))) return;
    const commit = await (isBehind ? readIfThere(objects, oid) : readDated(objects, oid));
    if (commit === null) return;
    (isBehind ? behind : met).add(oid);
    const place = waiting.findLastIndex(({ date }) => date <= commit.date);
    waiting.splice(place + 1, 0, commit);
  }

  if (from === ancestor) return true;
  await add(ancestor, true);
  await add(from, false);
  while (waiting.some(({ oid }) => !behind.has(oid))) {
    const next = waiting.pop();
    const isBehind = next !== undefined && behind.has(next.oid);
    for (const parent of next?.parents ?? []) {
      if (parent === ancestor) return true;
      await add(parent, isBehind);
    }
  }
  return false;
}

interface DatedCommit {
  oid: Oid;
  parents: Oid[];
  date: number;
}

async function readDated(objects: ObjectReader, oid: Oid): Promise<DatedCommit> {
  const { parents, date } = parseCommit((await objects.read(oid)).content);
  return { oid, parents, date };
}

async function readIfThere(objects: ObjectReader, oid: Oid): Promise<DatedCommit | null> {
  try {
    return await readDated(objects, oid);
  } catch (error) {
    if (error instanceof StorageError && error.code === 'missing_object') return null;
    throw error;
  }
}
