import type { Oid } from '../contract/ids.ts';
import type { Repository } from '../core/ports.ts';
import { fileChanges } from './file-changes.ts';
import { type HistoryOrder, historyOrder } from './history-order.ts';
import type { IndexDatabase } from './index-database.ts';
import { knowsCommit, setStateCommit, stateCommit } from './index-state.ts';
import type { Pacer } from './pacer.ts';
import { touchesOf } from './touches.ts';
import { turnPages } from './turn-pages.ts';
import { addCommit, placeCommits, putTouches, readNumbered } from './write-history.ts';

export interface Work {
  pacer: Pacer;
  /** Told of what is done, in commits and pages. */
  progress?: ((done: number, total: number, message: string) => void) | undefined;
}

/**
 * Brings the index from its commit to `target`: the commits between, and the pages that differ. False where
 * `target` does not descend from that commit; then nothing was changed. What it throws leaves the index as it was.
 */
export async function catchUp(
  database: IndexDatabase,
  repository: Repository,
  target: Oid,
  work: Work,
): Promise<boolean> {
  const from = stateCommit(database);
  const advance = () => advanceFrom(from, database, repository, target, work);
  database.begin();
  try {
    const isThere = from === null ? await repository.readMuch(advance) : await advance();
    if (isThere) database.commit();
    else database.rollback();
    return isThere;
  } catch (error) {
    database.rollback();
    throw error;
  }
}

async function advanceFrom(
  from: Oid | null,
  database: IndexDatabase,
  repository: Repository,
  target: Oid,
  { pacer, progress }: Work,
): Promise<boolean> {
  const descends = await addCommits(database, repository, target, from, pacer);
  if (!descends) return false;
  const { added, moved } = await placeCommits(database, target, pacer);
  const total = added.length + (await countChanges(repository, from, target, pacer));
  let done = 0;
  const step = async (message: string) => {
    done += 1;
    if (done % progressEvery === 0) progress?.(done, total, message);
    await pacer.breathe();
  };
  // Which commit touched a page last may be another one now, where some came to stand elsewhere.
  const touched = new Set(moved.flatMap((number) => pagesTouchedBy(database, number)));
  for (const number of added) {
    const done = await touchesOf(repository, readNumbered(database, number), pacer);
    for (const page of await putTouches(database, number, done, pacer)) touched.add(page);
    await step('Reading history');
  }
  const changes = fileChanges(repository, from, target);
  const turned = await turnPages(database, await repository.at(target), changes, () => step('Reading pages'));
  for (const page of turned) touched.add(page);
  await datePages(database, historyOrder(database, target), touched, pacer);
  setStateCommit(database, target);
  return true;
}

/**
 * What `query` finds when the index stands at `commit`, an ancestor of where it does stand. It is turned back by
 * the pages that differ, and forth again when the answer is there.
 */
export async function asOf<Answer>(
  database: IndexDatabase,
  repository: Repository,
  commit: Oid,
  pacer: Pacer,
  query: () => Answer,
): Promise<Answer> {
  const changes = fileChanges(repository, stateCommit(database), commit);
  const snapshot = await repository.at(commit);
  const order = historyOrder(database, commit);
  database.begin();
  try {
    const turned = new Set(await turnPages(database, snapshot, changes, () => pacer.breathe()));
    await datePages(database, order, turned.union(pagesTouchedSince(database, order)), pacer);
    setStateCommit(database, commit);
    return query();
  } finally {
    database.rollback();
  }
}

const progressEvery = 100;

/**
 * Adds the commits from `target` back that the index lacks, as yet without places. False where `from` is no
 * parent of any of them.
 */
async function addCommits(
  database: IndexDatabase,
  repository: Repository,
  target: Oid,
  from: Oid | null,
  pacer: Pacer,
): Promise<boolean> {
  let descends = from === null;
  if (knowsCommit(database, target)) return descends;
  const waiting = new Set([target]);
  let added = 0;
  for await (const commit of repository.log(target)) {
    await pacer.breathe();
    if (!waiting.delete(commit.oid)) continue;
    addCommit(database, commit, added);
    added += 1;
    for (const parent of commit.parents) {
      descends ||= parent === from;
      if (!knowsCommit(database, parent)) waiting.add(parent);
    }
    if (waiting.size === 0) break;
  }
  return descends;
}

async function countChanges(
  repository: Repository,
  from: Oid | null,
  target: Oid,
  pacer: Pacer,
): Promise<number> {
  let count = 0;
  for await (const _change of fileChanges(repository, from, target)) {
    count += 1;
    await pacer.breathe();
  }
  return count;
}

/** Sets when pages were last updated, also where what was written was undone again. */
async function datePages(
  database: IndexDatabase,
  { loose, below }: HistoryOrder,
  pages: Iterable<number>,
  pacer: Pacer,
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
      'UPDATE pages SET updated = (SELECT committed FROM commits WHERE number = ?) WHERE id = ?',
      Number(newest),
      page,
    );
    await pacer.breathe();
  }
}

/** By the ids of their paths. */
function pagesTouchedBy(database: IndexDatabase, number: number): number[] {
  const rows = database.all('SELECT path FROM touches WHERE number = ?', number);
  return rows.map(({ path }) => Number(path));
}

/**
 * The same for all commits but those of which each order has the same: of the others the newest may be another one,
 * also among those that the order has.
 */
function pagesTouchedSince(database: IndexDatabase, { below }: HistoryOrder): Set<number> {
  const rows = database.all('SELECT DISTINCT path FROM touches WHERE number > ?', below);
  return new Set(rows.map(({ path }) => Number(path)));
}
