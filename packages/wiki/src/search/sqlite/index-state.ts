import type { Oid } from '../../contract/ids.ts';
import type { IndexDatabase } from './index-database.ts';
import { bytesOf } from './oid-bytes.ts';

/** The commit whose pages the index holds; null while it holds nothing. */
export function stateCommit(database: IndexDatabase): Oid | null {
  const commit = database.value("SELECT value FROM state WHERE name = 'commit'");
  return typeof commit === 'string' ? commit : null;
}

export function setStateCommit(database: IndexDatabase, commit: Oid): void {
  database.run("INSERT OR REPLACE INTO state (name, value) VALUES ('commit', ?)", commit);
}

export function knowsCommit(database: IndexDatabase, commit: Oid): boolean {
  return database.get('SELECT 1 FROM commits WHERE oid = ?', bytesOf(commit)) !== undefined;
}
