import { WikiError } from '../contract/errors.ts';
import type { Oid } from '../contract/ids.ts';
import type { Author } from '../contract/wiki.ts';
import { shortened } from './reply-budget.ts';

export interface CommitInfo {
  oid: Oid;
  parents: Oid[];
  author: Author & { date: Date };
  committed: Date;
  /** As written, without trailers. */
  message: string;
  /** The `Agent:` trailer. */
  agent: string | null;
}

/** A commit as a walk through the history yields it. */
export interface LoggedCommit extends CommitInfo {
  /** Absent in nearly all. */
  marks?: ConflictMarks;
}

/** The lines of a message about conflicts of a merge, by tree path. */
export interface ConflictMarks {
  /** The files of which this merge keeps the version of its first parent, although the second one has another. */
  open: readonly string[];
  /** The files that this commit keeps as they are, on purpose. */
  settled: readonly string[];
}

/**
 * The beginning of the message of a commit that brings in pushed commits. The rest may name any path of the
 * wiki.
 */
export const BROUGHT_IN = 'Bring in what git pushed:';

/**
 * True if a message may name paths that its commit did not change: that of a merge, or one that quotes a
 * commit which brings in a push.
 */
export function mayNameMore({ parents, message }: Pick<CommitInfo, 'parents' | 'message'>): boolean {
  return parents.length > 1 || message.includes(BROUGHT_IN);
}

/** A commit as answers show it, with the beginning of its message. */
export function summaryOf({ oid, author, agent, message }: CommitInfo, mostCharacters: number) {
  return {
    commit: oid,
    author: `${author.name} <${author.email}>`,
    agent,
    date: author.date.toISOString(),
    message: shortened(message, mostCharacters),
  };
}

/** The error for a commit that there is not, or that a scope hides: it names the commit as the caller did. */
export function commitNotFound(commit: string): WikiError {
  return new WikiError(
    'not_found',
    {
      happened: `There is no commit ${commit} in this wiki.`,
      now: 'Nothing was changed.',
      next: 'Take a commit from get_history.',
    },
    { commit },
  );
}
