import { parseCommit } from '../../formats/commit.ts';
import type { Oid } from '../../formats/oid.ts';
import type { ObjectReader } from '../storage.ts';
import { isLost } from '../storage-error.ts';

/** The facts about a commit that a walk through history needs. */
export interface DatedCommit {
  oid: Oid;
  parents: readonly Oid[];
  date: number;
}

/**
 * True if `wanted` is `from` or an ancestor of it, by any parent. The walk does not go behind commits for
 * which `skip` returns true.
 */
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
 * True if `ancestor` is `from` or an ancestor of it, by any parent. Reads little if the two diverged
 * recently.
 */
export async function isAncestor(objects: ObjectReader, ancestor: Oid, from: Oid): Promise<boolean> {
  if (from === ancestor) return true;
  const walk = commitsBeside(objects, { from, beside: ancestor, read: (oid) => readDated(objects, oid) });
  for await (const { parents } of walk) if (parents.includes(ancestor)) return true;
  return false;
}

export interface WalkOptions {
  from: Oid;
  beside: Oid;
  /** Reads a commit on the way from `from`. Returns null if the walk must not go past it. */
  read: (oid: Oid) => Promise<DatedCommit | null>;
}

/**
 * The commits that `from` reaches, down to where everything is also reachable from `beside`. Walks both
 * histories from the newest commit on, as git does (paint_down_to_common in commit-reach.c). Every path from
 * `from` to `beside` is walked whatever the dates are, since nothing on it is reachable from `beside`. Wrong
 * dates may add commits that are. A commit behind `beside` that cannot be read only makes the walk longer.
 */
export async function* commitsBeside(
  objects: ObjectReader,
  { from, beside, read }: WalkOptions,
): AsyncGenerator<DatedCommit> {
  const behind = new Set<Oid>();
  const met = new Set<Oid>();
  /** Sorted by committer date, newest last. */
  const waiting: DatedCommit[] = [];
  /** Those of them that are not behind. A search for one would be quadratic in a merge of thousands. */
  const unshared = new Set<Oid>();

  async function add(oid: Oid, isBehind: boolean): Promise<void> {
    if (behind.has(oid) || (!isBehind && met.has(oid))) return;
    const commit = await (isBehind ? readIfThere(objects, oid) : read(oid));
    if (commit === null) return;
    (isBehind ? behind : met).add(oid);
    if (isBehind) unshared.delete(oid);
    else unshared.add(oid);
    const place = waiting.findLastIndex(({ date }) => date <= commit.date);
    waiting.splice(place + 1, 0, commit);
  }

  await add(beside, true);
  await add(from, false);
  while (unshared.size > 0) {
    const next = waiting.pop();
    if (next === undefined) return;
    unshared.delete(next.oid);
    const isShared = behind.has(next.oid);
    if (!isShared) yield next;
    for (const parent of next.parents) await add(parent, isShared);
  }
}

async function readDated(objects: ObjectReader, oid: Oid): Promise<DatedCommit> {
  const { parents, committer } = parseCommit((await objects.read(oid)).content);
  return { oid, parents, date: committer.seconds };
}

/** Null if the commit is lost: native git does not sync its commits unless it is configured to. */
export async function readIfThere(objects: ObjectReader, oid: Oid): Promise<DatedCommit | null> {
  try {
    return await readDated(objects, oid);
  } catch (error) {
    if (!isLost(error)) throw error;
    return null;
  }
}
