import type { Oid } from '../contract/ids.ts';
import type { CommitInfo } from '../core/ports.ts';
import { inLogOrder, type OrderedCommit } from './commit-order.ts';
import type { IndexDatabase, Row } from './index-database.ts';
import { bytesOf, oidOf } from './oid-bytes.ts';
import type { Pacer } from './pacer.ts';
import type { Touched } from './touches.ts';
import { pathId } from './write-pages.ts';

/** Adds a commit that has no place yet; `position` says how many were added before it since all had places. */
export function addCommit(database: IndexDatabase, commit: CommitInfo, position: number): void {
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
}

/** Commits without a place have numbers from here down. */
const firstUnplaced = -(2 ** 40);

/**
 * Gives the commits that have none their places in the order of `git log` from `head`, and old ones that come to
 * stand above one of them new places. Returns the numbers of those that had none and of those that had others, newest
 * first.
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
    await pacer.breathe();
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

function isPlaced(number: number): boolean {
  return number > firstUnplaced;
}

/** As many pages of a commit as histories show; those of a commit with more are kept ready, in their order. */
export const firstPages = 20;

/** Returns the pages that were touched, by the ids of their paths. */
export async function putTouches(
  database: IndexDatabase,
  number: number,
  { touches, otherFiles }: Touched,
  pacer: Pacer,
): Promise<number[]> {
  const told = touches.filter(({ action }) => action !== 'left');
  const first = told.slice(0, firstPages).map(({ path, action }) => [path, action]);
  database.run(
    'UPDATE commits SET pages = ?, other_files = ?, first_pages = ? WHERE number = ?',
    told.length,
    otherFiles ? 1 : 0,
    told.length > firstPages ? JSON.stringify(first) : null,
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
    await pacer.breathe();
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

/** The commit that has this place. */
export function readNumbered(database: IndexDatabase, number: number): { oid: Oid; parents: Oid[] } {
  const row = database.get('SELECT oid, parents FROM commits WHERE number = ?', number);
  if (row === undefined) throw new Error(`The index lacks commit number ${number}.`);
  return { oid: oidOf(row.oid), parents: parentsOf(row) };
}

export function parentsOf({ parents }: Row): Oid[] {
  return oidOf(parents).match(/.{40}/g) ?? [];
}

/** Those with places move below zero first, where none is in another's way. */
async function moveCommits(
  database: IndexDatabase,
  placed: readonly PlacedCommit[],
  pacer: Pacer,
): Promise<void> {
  const moved = placed.filter(({ old, number }) => isPlaced(old) && old !== number);
  if (moved.length > 0) database.entries.clear();
  for (const { old, number } of moved) {
    moveCommit(database, old, -number);
    await pacer.breathe();
  }
  for (const { number } of moved) {
    moveCommit(database, -number, number);
    await pacer.breathe();
  }
  for (const { old, number, cut } of placed) {
    const now = isPlaced(old) ? number : old;
    database.run('UPDATE commits SET number = ?, cut = ? WHERE number = ?', number, cut ? 1 : 0, now);
    await pacer.breathe();
  }
}

function moveCommit(database: IndexDatabase, from: number, to: number): void {
  database.run('UPDATE commits SET number = ? WHERE number = ?', to, from);
  database.run('UPDATE touches SET number = ? WHERE number = ?', to, from);
}
