import { oid } from './ids.ts';

/** The versions of a page that a merge left unmerged. */
export const conflictVersions = {
  merge: oid,
  /** The version of the wiki; null if the page was deleted there. */
  ours: oid.nullable(),
  /** The version of the other side, as of `theirs_commit`; null if the page was deleted there. */
  theirs: oid.nullable(),
  theirs_commit: oid,
};
