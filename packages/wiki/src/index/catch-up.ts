import type { Oid } from '../contract/ids.ts';
import type { CommitInfo, Repository } from '../core/ports.ts';
import { type HistoryOrder, historyOrder } from './history-order.ts';
import type { IndexDatabase } from './index-database.ts';
import { knowsCommit, setStateCommit, stateCommit } from './index-state.ts';
import type { Pacer } from './pacer.ts';
import { touchesOf } from './touches.ts';
import { turnPages } from './turn-pages.ts';
import { placeCommits, putTouches } from './write-history.ts';

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
  const commits = await newCommits(database, repository, target, work.pacer);
  if (from !== null && ![...commits.values()].some(({ parents }) => parents.includes(from))) return false;
  const changes = await repository.changes(from, target);
  const total = commits.size + changes.length;
  let done = 0;
  const step = async (message: string) => {
    done += 1;
    if (done % progressEvery === 0) work.progress?.(done, total, message);
    await work.pacer.breathe();
  };

  database.begin();
  try {
    const numbers = await placeCommits(database, target, commits, work.pacer);
    const touched = new Set<string>();
    for (const [oid, number] of numbers) {
      const touches = await touchesOf(repository, commits.get(oid) as CommitInfo);
      putTouches(database, number, touches);
      for (const { path } of touches) touched.add(path);
      await step('Reading history');
    }
    const snapshot = await repository.at(target);
    const turned = await turnPages(database, snapshot, changes, () => step('Reading pages'));
    await datePages(database, historyOrder(database, target), touched.union(new Set(turned)), work.pacer);
    setStateCommit(database, target);
    database.commit();
  } catch (error) {
    database.rollback();
    throw error;
  }
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
  const changes = await repository.changes(stateCommit(database), commit);
  const snapshot = await repository.at(commit);
  const order = historyOrder(database, commit);
  database.begin();
  try {
    const turned = new Set(await turnPages(database, snapshot, changes, () => pacer.breathe()));
    await datePages(database, order, turned.union(pathsTouchedSince(database, order)), pacer);
    setStateCommit(database, commit);
    return query();
  } finally {
    database.rollback();
  }
}

const progressEvery = 100;

/** Those from `target` back that the index lacks. */
async function newCommits(
  database: IndexDatabase,
  repository: Repository,
  target: Oid,
  pacer: Pacer,
): Promise<Map<Oid, CommitInfo>> {
  const commits = new Map<Oid, CommitInfo>();
  const waiting = new Set(knowsCommit(database, target) ? [] : [target]);
  if (waiting.size === 0) return commits;
  for await (const commit of repository.log(target)) {
    await pacer.breathe();
    if (!waiting.delete(commit.oid)) continue;
    commits.set(commit.oid, commit);
    for (const parent of commit.parents) {
      if (!commits.has(parent) && !knowsCommit(database, parent)) waiting.add(parent);
    }
    if (waiting.size === 0) break;
  }
  return commits;
}

/** Sets when pages were last updated, also where what was written was undone again. */
async function datePages(
  database: IndexDatabase,
  { loose, below }: HistoryOrder,
  paths: Iterable<string>,
  pacer: Pacer,
): Promise<void> {
  for (const path of paths) {
    const id = database.value('SELECT id FROM paths WHERE path = ?', path);
    if (typeof id !== 'number') continue;
    const inLoose = loose.find(
      (number) =>
        database.get('SELECT 1 FROM touches WHERE path = ? AND number = ?', id, number) !== undefined,
    );
    const newest =
      inLoose ?? database.value('SELECT max(number) FROM touches WHERE path = ? AND number <= ?', id, below);
    database.run(
      'UPDATE pages SET updated = (SELECT committed FROM commits WHERE number = ?) WHERE id = ?',
      Number(newest),
      id,
    );
    await pacer.breathe();
  }
}

function pathsTouchedSince(database: IndexDatabase, { loose, below }: HistoryOrder): Set<string> {
  const visible = new Set(loose);
  const rows = database
    .all(
      'SELECT DISTINCT paths.path, number FROM touches JOIN paths ON id = touches.path WHERE number > ?',
      below,
    )
    .filter(({ number }) => !visible.has(Number(number)));
  return new Set(rows.map(({ path }) => String(path)));
}
