import type { Oid } from '../contract/ids.ts';
import type { CommitInfo } from '../core/ports.ts';
import { inLogOrder, type OrderedCommit } from './commit-order.ts';
import type { IndexDatabase, Row } from './index-database.ts';
import { bytesOf, oidOf } from './oid-bytes.ts';
import type { Pacer } from './pacer.ts';
import type { Touch } from './touches.ts';
import { pathId } from './write-pages.ts';

/**
 * Gives the new commits their places in the order of `git log` from `head`, and old ones that come to stand above
 * one of them new places. Returns the numbers of the new commits.
 */
export async function placeCommits(
  database: IndexDatabase,
  head: Oid,
  commits: ReadonlyMap<Oid, CommitInfo>,
  pacer: Pacer,
): Promise<Map<Oid, number>> {
  const above: { oid: Oid; cut: boolean; old: number | null }[] = [];
  let below = 0;
  for (const { commit, cut } of inLogOrder(head, (oid) => readOrdered(database, commits, oid))) {
    if (cut && commit.cut && commit.number !== null) {
      below = commit.number;
      break;
    }
    above.push({ oid: commit.oid, cut, old: commit.number });
    await pacer.breathe();
  }
  const placed = above.map((commit, at) => ({ ...commit, number: below + above.length - at }));
  moveCommits(database, placed);
  const numbers = new Map<Oid, number>();
  for (const { oid, cut, old, number } of placed) {
    if (old !== null) continue;
    const commit = commits.get(oid);
    if (commit === undefined) throw new Error(`Commit ${oid} was not read.`);
    putCommit(database, commit, number, cut);
    numbers.set(oid, number);
    await pacer.breathe();
  }
  return numbers;
}

/** As many pages of a commit as histories show; those of a commit with more are kept ready, in their order. */
export const firstPages = 20;

export function putTouches(database: IndexDatabase, number: number, touches: readonly Touch[]): void {
  const pages = touches.flatMap(({ path, action }) => (action === 'left' ? [] : [[path, action]]));
  const first = pages.length > firstPages ? JSON.stringify(pages.slice(0, firstPages)) : null;
  database.run('UPDATE commits SET pages = ?, first_pages = ? WHERE number = ?', pages.length, first, number);
  for (const { path, action, blob, origin } of touches) {
    database.run(
      'INSERT INTO touches (path, number, action, blob, origin) VALUES (?, ?, ?, ?, ?)',
      pathId(database, path),
      number,
      action,
      blob === null ? null : bytesOf(blob),
      origin === null ? null : pathId(database, origin),
    );
  }
}

interface KnownCommit extends OrderedCommit {
  /** Null where the index does not have it yet. */
  number: number | null;
  cut: boolean;
}

function readOrdered(database: IndexDatabase, commits: ReadonlyMap<Oid, CommitInfo>, oid: Oid): KnownCommit {
  const fresh = commits.get(oid);
  if (fresh !== undefined) {
    return { oid, parents: fresh.parents, committed: fresh.committed.getTime(), number: null, cut: false };
  }
  return readPlaced(database, oid);
}

/** A commit of the index, for its order. */
export function readPlaced(database: IndexDatabase, oid: Oid): KnownCommit & { number: number } {
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

export function parentsOf({ parents }: Row): Oid[] {
  return oidOf(parents).match(/.{40}/g) ?? [];
}

function putCommit(database: IndexDatabase, commit: CommitInfo, number: number, cut: boolean): void {
  const { name, email, date } = commit.author;
  database.run('INSERT OR IGNORE INTO authors (name, email) VALUES (?, ?)', name, email);
  database.run(
    `INSERT INTO commits (number, oid, parents, cut, author, authored, committed, message, agent)
     VALUES (?, ?, ?, ?, (SELECT id FROM authors WHERE name = ? AND email = ?), ?, ?, ?, ?)`,
    number,
    bytesOf(commit.oid),
    bytesOf(commit.parents.join('')),
    cut ? 1 : 0,
    name,
    email,
    date.getTime(),
    commit.committed.getTime(),
    commit.message,
    commit.agent,
  );
}

/** Below zero first, where none is in another's way. */
function moveCommits(
  database: IndexDatabase,
  placed: readonly { old: number | null; number: number; cut: boolean }[],
): void {
  const moved = placed.filter(({ old, number }) => old !== null && old !== number);
  if (moved.length > 0) database.entries.clear();
  for (const { old, number } of moved) moveCommit(database, Number(old), -number);
  for (const { number } of moved) moveCommit(database, -number, number);
  for (const { old, number, cut } of placed) {
    if (old !== null) database.run('UPDATE commits SET cut = ? WHERE number = ?', cut ? 1 : 0, number);
  }
}

function moveCommit(database: IndexDatabase, from: number, to: number): void {
  database.run('UPDATE commits SET number = ? WHERE number = ?', to, from);
  database.run('UPDATE touches SET number = ? WHERE number = ?', to, from);
}
