import type { Oid } from '../../contract/ids.ts';
import type { LoggedCommit } from '../../core/commit-info.ts';
import type { Pacer } from '../pacer.ts';
import type { IndexDatabase, Row } from '../sqlite/index-database.ts';
import { bytesOf, oidOf } from '../sqlite/oid-bytes.ts';
import { pathId } from '../sqlite/write-pages.ts';
import { inLogOrder, type OrderedCommit } from './log-order.ts';
import { putConflictMarks } from './record-conflicts.ts';
import type { Touched } from './touches.ts';

/** Adds a commit that has no number yet; `position` counts the commits added since all had numbers. */
export function addCommit(database: IndexDatabase, commit: LoggedCommit, position: number): void {
  const { name, email, date } = commit.author;
  database.run('INSERT OR IGNORE INTO authors (name, email) VALUES (?, ?)', name, email);
  database.run(
    `INSERT INTO commits (number, oid, parents, cut, author, authored, committed, message, agent)
     VALUES (?, ?, ?, 0, (SELECT id FROM authors WHERE name = ? AND email = ?), ?, ?, ?, ?)`,
    firstUnplaced - position,
    bytesOf(commit.oid),
    bytesOf(commit.parents.join('')),
    name,
    email,
    date.getTime(),
    commit.committed.getTime(),
    commit.message,
    commit.agent,
  );
  putConflictMarks(database, commit);
}

/** Commits without a place in the order have numbers from here down. */
const firstUnplaced = -(2 ** 40);

/**
 * Gives the commits that have none their places in the order of `git log` from `head`, and new places to old
 * ones that come above one of them. Returns the numbers of the commits that had none and of those that had
 * others, newest first.
 */
export async function placeCommits(
  database: IndexDatabase,
  head: Oid,
  pacer: Pacer,
): Promise<{ added: number[]; moved: number[] }> {
  const above: PlacedCommit[] = [];
  let below = 0;
  for (const { commit, cut } of inLogOrder(head, (oid) => readPlaced(database, oid))) {
    if (cut && commit.cut && isPlaced(commit.number)) {
      below = commit.number;
      break;
    }
    above.push({ old: commit.number, cut, number: 0 });
    await pacer.yieldIfDue();
  }
  const [added, moved]: [number[], number[]] = [[], []];
  let number = below + above.length;
  for (const commit of above) {
    commit.number = number--;
    if (!isPlaced(commit.old)) added.push(commit.number);
    else if (commit.old !== commit.number) moved.push(commit.number);
  }
  await moveCommits(database, above, pacer);
  return { added, moved };
}

interface PlacedCommit {
  old: number;
  number: number;
  cut: boolean;
}

/** True if commits were added that `placeCommits` has not seen yet. */
export function hasUnplaced(database: IndexDatabase): boolean {
  return database.get('SELECT 1 FROM commits WHERE number <= ?', firstUnplaced) !== undefined;
}

function isPlaced(number: number): boolean {
  return number > firstUnplaced;
}

/**
 * The number of pages of a commit that histories show. Those of a commit with more are kept ready, in their
 * order.
 */
export const firstPages = 20;

/** Returns the touched pages, by the ids of their paths. */
export async function putTouches(
  database: IndexDatabase,
  number: number,
  { touches, otherFiles }: Touched,
  pacer: Pacer,
): Promise<number[]> {
  const reported = touches.filter(({ action }) => action !== 'left');
  const first = reported.slice(0, firstPages).map(({ path, action }) => [path, action]);
  database.run(
    'UPDATE commits SET pages = ?, other_files = ?, first_pages = ? WHERE number = ?',
    reported.length,
    otherFiles,
    reported.length > firstPages ? JSON.stringify(first) : null,
    number,
  );
  const ids: number[] = [];
  for (const { path, action, blob, origin } of touches) {
    const id = pathId(database, path);
    database.run(
      'INSERT INTO touches (path, number, action, blob, origin) VALUES (?, ?, ?, ?, ?)',
      id,
      number,
      action,
      blob === null ? null : bytesOf(blob),
      origin === null ? null : pathId(database, origin),
    );
    ids.push(id);
    await pacer.yieldIfDue();
  }
  return ids;
}

/** A commit of the index, for its order. */
export function readPlaced(
  database: IndexDatabase,
  oid: Oid,
): OrderedCommit & { number: number; cut: boolean } {
  const row = database.get('SELECT number, parents, cut, committed FROM commits WHERE oid = ?', bytesOf(oid));
  if (row === undefined) throw new Error(`The index lacks commit ${oid}.`);
  return {
    oid,
    parents: parentsOf(row),
    committed: Number(row.committed),
    number: Number(row.number),
    cut: row.cut === 1,
  };
}

/** The commit that has this number. */
export function readNumbered(database: IndexDatabase, number: number): { oid: Oid; parents: Oid[] } {
  const row = database.get('SELECT oid, parents FROM commits WHERE number = ?', number);
  if (row === undefined) throw new Error(`The index lacks commit number ${number}.`);
  return { oid: oidOf(row.oid), parents: parentsOf(row) };
}

export function parentsOf({ parents }: Row): Oid[] {
  return oidOf(parents).match(/.{40}/g) ?? [];
}

/** Commits with places first move below zero, where none collides with another. */
async function moveCommits(
  database: IndexDatabase,
  placed: readonly PlacedCommit[],
  pacer: Pacer,
): Promise<void> {
  const moved = placed.filter(({ old, number }) => isPlaced(old) && old !== number);
  if (moved.length > 0) database.entries.clear();
  for (const { old, number } of moved) {
    moveCommit(database, old, -number);
    await pacer.yieldIfDue();
  }
  for (const { number } of moved) {
    moveCommit(database, -number, number);
    await pacer.yieldIfDue();
  }
  for (const { old, number, cut } of placed) {
    const now = isPlaced(old) ? number : old;
    database.run('UPDATE commits SET number = ?, cut = ? WHERE number = ?', number, cut ? 1 : 0, now);
    await pacer.yieldIfDue();
  }
}

function moveCommit(database: IndexDatabase, from: number, to: number): void {
  database.run('UPDATE commits SET number = ? WHERE number = ?', to, from);
  database.run('UPDATE touches SET number = ? WHERE number = ?', to, from);
}
