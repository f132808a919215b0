import type { Oid } from '../contract/ids.ts';
import type { Repository } from '../core/ports.ts';
import { type HistoryOrder, historyOrder } from './history/ancestor-numbers.ts';
import { fileChanges } from './history/file-changes.ts';
import { addCommit, placeCommits, putTouches, readNumbered } from './history/record-history.ts';
import { touchesOf } from './history/touches.ts';
import type { Pacer } from './pacer.ts';
import type { IndexDatabase } from './sqlite/index-database.ts';
import { hasCommit, setStateCommit, stateCommit } from './sqlite/index-state.ts';
import { turnPages } from './sqlite/turn-pages.ts';

/** The number of commits and pages between two reports. */
export const PROGRESS_EVERY = 100;

export interface Work {
  pacer: Pacer;
  /** The longest catch-up, in milliseconds of work. By default without limit. */
  mostCatchUpMs?: number | undefined;
  /** Called with the progress, in commits and pages. */
  progress?: ((done: number, total: number, message: string) => void) | undefined;
}

/**
 * Brings a whole index from its commit to `target`: adds the commits between, and updates the pages that differ.
 * Returns false, and changes nothing, if `target` does not descend from that commit, or if it is so far from it that
 * the work would take longer than `mostCatchUpMs`: a build can be done in pieces, and this cannot. If it throws, the index stays
 * as it was.
 */
export async function catchUp(
  database: IndexDatabase,
  repository: Repository,
  target: Oid,
  work: Work,
): Promise<boolean> {
  const from = stateCommit(database);
  if (from === null) return false;
  database.begin();
  try {
    const isThere = await advanceFrom(from, database, repository, target, work);
    if (isThere) database.commit();
    else database.rollback();
    return isThere;
  } catch (error) {
    database.rollback();
    if (error instanceof TooFar) return false;
    throw error;
  }
}

class TooFar extends Error {}

/** After this part of the time that it may take, it shows whether the work will take longer. */
const SHARE_TO_JUDGE_BY = 8;

/** True if the branch leads to `commit`, so that an index of it can be caught up with any newer commit. */
export async function isReachable(repository: Repository, commit: Oid): Promise<boolean> {
  const head = (await repository.head()).commit;
  if (head === null || head === commit) return head !== null;
  for await (const { oid } of repository.log(head)) if (oid === commit) return true;
  return false;
}

async function advanceFrom(
  from: Oid,
  database: IndexDatabase,
  repository: Repository,
  target: Oid,
  { pacer, progress, mostCatchUpMs: mostMs = Number.POSITIVE_INFINITY }: Work,
): Promise<boolean> {
  const descends = await addCommits(database, repository, target, from, pacer);
  if (!descends) return false;
  const { added, moved } = await placeCommits(database, target, pacer);
  const total = added.length + (await countChanges(repository, from, target, pacer));
  let done = 0;
  const beganMs = pacer.workedMs;
  const step = async (message: string) => {
    done += 1;
    if (done % PROGRESS_EVERY === 0) {
      progress?.(done, total, message);
      const workedMs = pacer.workedMs - beganMs;
      if (workedMs > mostMs / SHARE_TO_JUDGE_BY && (workedMs / done) * total > mostMs) throw new TooFar();
    }
    await pacer.yieldIfDue();
  };
  // If some commits changed their numbers, another commit may now be the last one that touched a page.
  const touched = new Set(moved.flatMap((number) => pagesTouchedBy(database, number)));
  for (const number of added) {
    const done = await touchesOf(repository, readNumbered(database, number), pacer);
    for (const page of await putTouches(database, number, done, pacer)) touched.add(page);
    await step('Reading history');
  }
  const changes = fileChanges(repository, from, target);
  const turned = await turnPages(
    database,
    await repository.at(target),
    changes,
    () => step('Reading pages'),
    () => pacer.yieldIfDue(),
  );
  for (const page of turned) touched.add(page);
  await datePages(database, historyOrder(database, target), touched, () => pacer.yieldIfDue());
  setStateCommit(database, target);
  return true;
}

/** The result of `query` on the index as of `commit`, which is in its history, but not its current commit. */
export type Turn = <Answer>(
  database: IndexDatabase,
  repository: Repository,
  commit: Oid,
  work: TurnWork,
  query: () => Answer | Promise<Answer>,
) => Promise<Answer>;

export interface TurnWork extends Pick<Work, 'progress'> {
  /** Ends with the caller. */
  pacer: Pacer;
  /** Ends with the index. */
  closing: AbortSignal;
  /** The work, in milliseconds, after which a piece ends. */
  pieceMs: number;
}

/**
 * Turns the index back to an ancestor of its current commit by the pages that differ, and forward again after the
 * query.
 */
export const asOf: Turn = async (database, repository, commit, { pacer }, query) => {
  const changes = fileChanges(repository, stateCommit(database), commit);
  const snapshot = await repository.at(commit);
  const order = historyOrder(database, commit);
  const yieldIfDue = () => pacer.yieldIfDue();
  database.begin();
  try {
    const turned = new Set(await turnPages(database, snapshot, changes, yieldIfDue, yieldIfDue));
    await datePages(database, order, turned.union(pagesTouchedSince(database, order)), yieldIfDue);
    setStateCommit(database, commit);
    return await query();
  } finally {
    database.rollback();
  }
};

/**
 * Adds the commits from `target` back that the index lacks, without numbers yet. Returns false if `from` is
 * not a parent of any of them.
 */
async function addCommits(
  database: IndexDatabase,
  repository: Repository,
  target: Oid,
  from: Oid,
  pacer: Pacer,
): Promise<boolean> {
  let descends = false;
  if (hasCommit(database, target)) return descends;
  const waiting = new Set([target]);
  let added = 0;
  for await (const commit of repository.log(target)) {
    await pacer.yieldIfDue();
    if (!waiting.delete(commit.oid)) continue;
    addCommit(database, commit, added);
    added += 1;
    for (const parent of commit.parents) {
      descends ||= parent === from;
      if (!hasCommit(database, parent)) waiting.add(parent);
    }
    if (waiting.size === 0) break;
  }
  return descends;
}

/** The number of files that differ; of all files if `from` is null. */
export async function countChanges(
  repository: Repository,
  from: Oid | null,
  target: Oid,
  pacer: Pacer,
): Promise<number> {
  let count = 0;
  for await (const _change of fileChanges(repository, from, target)) {
    count += 1;
    await pacer.yieldIfDue();
  }
  return count;
}

/** Sets the last change of pages, including pages whose changes were undone again. */
export async function datePages(
  database: IndexDatabase,
  { loose, below }: HistoryOrder,
  pages: Iterable<number>,
  step: () => Promise<void>,
): Promise<void> {
  for (const page of pages) {
    const inLoose = loose.find(
      (number) =>
        database.get('SELECT 1 FROM touches WHERE path = ? AND number = ?', page, number) !== undefined,
    );
    const newest =
      inLoose ??
      database.value('SELECT max(number) FROM touches WHERE path = ? AND number <= ?', page, below);
    database.run(
      'UPDATE pages SET changed_in = ?1, updated = (SELECT committed FROM commits WHERE number = ?1) WHERE id = ?2',
      Number(newest),
      page,
    );
    await step();
  }
}

/** By the ids of their paths. */
function pagesTouchedBy(database: IndexDatabase, number: number): number[] {
  const rows = database.all('SELECT path FROM touches WHERE number = ?', number);
  return rows.map(({ path }) => Number(path));
}

/**
 * The pages touched by all commits except the common end of both orders. Only there is the last commit that
 * touched a page certain to be the same; a commit that both orders contain may still have another number.
 */
export function pagesTouchedSince(
  database: IndexDatabase,
  { below }: Pick<HistoryOrder, 'below'>,
): Set<number> {
  const rows = database.all('SELECT DISTINCT path FROM touches WHERE number > ?', below);
  return new Set(rows.map(({ path }) => Number(path)));
}
