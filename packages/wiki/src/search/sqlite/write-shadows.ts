import type { Snapshot, TreeEntry } from '../../core/ports.ts';
import { derivePage } from '../derive.ts';
import type { IndexDatabase } from './index-database.ts';
import { pathId, putLinks } from './write-pages.ts';

/** The tree paths of the page at a path, and of the files that it hides. */
export function spellingsOf(database: IndexDatabase, path: string): string[] {
  const rows = database.all(
    `SELECT tree_path FROM pages JOIN paths USING (id) WHERE path = ?1
     UNION ALL SELECT tree_path FROM shadows JOIN paths ON paths.id = page WHERE path = ?1`,
    path,
  );
  return rows.map(({ tree_path }) => String(tree_path));
}

/** Replaces the files that a page hides: a move must follow their links too. */
export async function putShadows(
  database: IndexDatabase,
  snapshot: Snapshot,
  path: string,
  hidden: readonly TreeEntry[],
  yieldIfDue: () => Promise<void>,
): Promise<void> {
  const page = pathId(database, path);
  database.run('DELETE FROM links WHERE page IN (SELECT -id FROM shadows WHERE page = ?)', page);
  database.run('DELETE FROM shadows WHERE page = ?', page);
  for (const entry of hidden) {
    database.run('INSERT INTO shadows (page, tree_path) VALUES (?, ?)', page, entry.path);
    const id = Number(database.value('SELECT max(id) FROM shadows WHERE page = ?', page));
    await putLinks(database, -id, await derivePage(snapshot, path, entry), yieldIfDue);
  }
}
