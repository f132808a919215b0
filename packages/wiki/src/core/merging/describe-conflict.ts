import type { Snapshot } from '../ports.ts';
import type { Session } from '../session.ts';
import { type OpenConflict, openConflictOf } from './open-conflicts.ts';

/** The other version, how to read it, and how to settle the conflict. */
export function describeConflict({ ours, theirs, merge }: OpenConflict): string {
  const at = `A sync (merge ${merge.slice(0, DIGITS)})`;
  if (ours === null) {
    return `${at} left it deleted, as the wiki had it: restore_page with commit ${theirs.commit} brings the other side's version.`;
  }
  if (theirs.version === null) {
    return `${at} kept it, although the other side deleted it. Any write settles this: delete it, or write its text again to keep it.`;
  }
  return `${at} left another version of it: see read_page or diff_page at ${theirs.commit}. Any write settles this; to keep the text, write it again.`;
}

/** As many digits as other answers show. */
const DIGITS = 10;

/** Notes for a read of the page: none for nearly all pages, and none if the index cannot answer without waiting. */
export async function conflictNotices(
  { repository, index }: Pick<Session, 'repository' | 'index'>,
  snapshot: Snapshot,
  path: string,
): Promise<string[]> {
  const conflict = await openConflictOf({ repository, index: index.atOnce }, snapshot, path);
  return conflict === null ? [] : [describeConflict(conflict)];
}
