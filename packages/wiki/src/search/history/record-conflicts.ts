import type { LoggedCommit } from '../../core/commit-info.ts';
import { pagePathOf } from '../../core/paths/page-path.ts';
import type { IndexDatabase } from '../sqlite/index-database.ts';
import { bytesOf } from '../sqlite/oid-bytes.ts';
import { pathId } from '../sqlite/write-pages.ts';

/**
 * Records what the message of a commit says about conflicts. The index keeps this, because to find it in the history
 * would take all of the history: so a catch-up reads only new commits, and a question only the rows of conflicts.
 */
export function putConflictMarks(database: IndexDatabase, { oid, marks }: LoggedCommit): void {
  if (marks === undefined) return;
  for (const [opens, treePaths] of [marks.settled, marks.open].entries()) {
    for (const treePath of treePaths) {
      const path = pagePathOf(treePath);
      if (path === null) continue;
      database.run(
        'INSERT OR IGNORE INTO conflict_marks (path, oid, opens) VALUES (?, ?, ?)',
        pathId(database, path),
        bytesOf(oid),
        opens,
      );
    }
  }
}
