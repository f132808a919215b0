import type { Oid } from '../contract/ids.ts';
import type { Author } from '../contract/wiki.ts';

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
