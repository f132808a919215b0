import { parseCommit } from '../objects/commit-text.ts';
import type { ObjectReader, Oid } from '../storage.ts';
import { isLost } from '../storage-error.ts';

/** What a walk through history must know of a commit. */
export interface DatedCommit {
  oid: Oid;
  parents: Oid[];
  date: number;
}

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

/** Whether `ancestor` is `from` or an ancestor of it, by any parent. Of two that parted lately little is read. */
export async function isAncestor(objects: ObjectReader, ancestor: Oid, from: Oid): Promise<boolean> {
  if (from === ancestor) return true;
  const walk = commitsBeside(objects, { from, beside: ancestor, read: (oid) => readDated(objects, oid) });
  for await (const { parents } of walk) if (parents.includes(ancestor)) return true;
  return false;
}

export interface WalkOptions {
  from: Oid;
  beside: Oid;
  /** Reads a commit on the way from `from`; null where it is not to be walked past. */
  read: (oid: Oid) => Promise<DatedCommit | null>;
}

/**
 * The commits that `from` reaches, down to where all lies behind `beside` too. Both histories are walked from the
 * newest commit on, as git does (paint_down_to_common in commit-reach.c). Every way from `from` to `beside` is walked
 * whatever the dates, for nothing on it lies behind `beside`; with wrong dates some that do may come as well, and what
 * cannot be read behind `beside` only makes the walk longer.
 */
export async function* commitsBeside(
  objects: ObjectReader,
  { from, beside, read }: WalkOptions,
): AsyncGenerator<DatedCommit> {
  const behind = new Set<Oid>();
  const met = new Set<Oid>();
  /** By committer's date, the newest last. */
  const waiting: DatedCommit[] = [];

  async function add(oid: Oid, isBehind: boolean): Promise<void> {
    if (behind.has(oid) || (!isBehind && met.has(oid))) return;
    const commit = await (isBehind ? readIfThere(objects, oid) : read(oid));
    if (commit === null) return;
    (isBehind ? behind : met).add(oid);
    const place = waiting.findLastIndex(({ date }) => date <= commit.date);
    waiting.splice(place + 1, 0, commit);
  }

  await add(beside, true);
  await add(from, false);
  while (waiting.some(({ oid }) => !behind.has(oid))) {
    const next = waiting.pop();
    if (next === undefined) return;
    const isShared = behind.has(next.oid);
    if (!isShared) yield next;
    for (const parent of next.parents) await add(parent, isShared);
  }
}

async function readDated(objects: ObjectReader, oid: Oid): Promise<DatedCommit> {
  const { parents, date } = parseCommit((await objects.read(oid)).content);
  return { oid, parents, date };
}

/** Null where the commit is lost: native git's commits are not synced unless it is told to. */
export async function readIfThere(objects: ObjectReader, oid: Oid): Promise<DatedCommit | null> {
  try {
    return await readDated(objects, oid);
  } catch (error) {
    if (!isLost(error)) throw error;
    return null;
  }
}
