import type { Oid } from '../../contract/ids.ts';
import type { IndexDatabase } from './index-database.ts';
import { bytesOf } from './oid-bytes.ts';

/** The commit whose pages the index holds; null if it is empty or its build has not ended. */
export function stateCommit(database: IndexDatabase): Oid | null {
  const commit = database.value("SELECT value FROM state WHERE name = 'commit'");
  return typeof commit === 'string' ? commit : null;
}

/** The commit for which a build began that has not ended; null if there is no such build. */
export function unfinishedCommit(database: IndexDatabase): Oid | null {
  const commit = database.value("SELECT value FROM state WHERE name = 'unfinished'");
  return typeof commit === 'string' ? commit : null;
}

export function setUnfinishedCommit(database: IndexDatabase, commit: Oid): void {
  database.run("INSERT INTO state (name, value) VALUES ('unfinished', ?)", commit);
}

/** The index now holds the pages of `commit`: any build has ended. */
export function setStateCommit(database: IndexDatabase, commit: Oid): void {
  database.run("INSERT OR REPLACE INTO state (name, value) VALUES ('commit', ?)", commit);
  database.run("DELETE FROM state WHERE name = 'unfinished'");
}

/** The index now holds the pages of no commit. */
export function clearStateCommit(database: IndexDatabase): void {
  database.run("DELETE FROM state WHERE name = 'commit'");
}

/** True if the index can answer about the history of `commit`. */
export function knowsCommit(database: IndexDatabase, commit: Oid): boolean {
  return stateCommit(database) !== null && hasCommit(database, commit);
}

/** The same also of a build that has not ended, which may lack ancestors of the commit. */
export function hasCommit(database: IndexDatabase, commit: Oid): boolean {
  return database.get('SELECT 1 FROM commits WHERE oid = ?', bytesOf(commit)) !== undefined;
}

export function countCommits(database: IndexDatabase): number {
  return Number(database.value('SELECT count(*) FROM commits'));
}

/** The commits and files whose content was read. */
export function countRead(database: IndexDatabase): number {
  return Number(
    database.value(`SELECT (SELECT count(pages) FROM commits) + (SELECT count(*) FROM pages)
      + (SELECT count(*) FROM files)`),
  );
}

/** The progress of an unfinished build, which grows with every piece. */
export function countDone(database: IndexDatabase): number {
  const dated = Number(database.value('SELECT count(*) FROM pages WHERE changed_in > 0'));
  return countCommits(database) + countRead(database) + dated;
}
