import type { Oid } from '../contract/ids.ts';

/** A commit as far as its place in the order of `git log` goes. */
export interface OrderedCommit {
  oid: Oid;
  parents: readonly Oid[];
  committed: number;
}

export interface Placed<Commit> {
  commit: Commit;
  /** Everything after it in the order is an ancestor of it, and all its ancestors are there. */
  cut: boolean;
}

/**
 * Commits in the order of `git log` from a commit back, newest first: of those whose child has come, the one with
 * the newest date, and of equal dates the one that was met first.
 */
export function* inLogOrder<Commit extends OrderedCommit>(
  from: Oid,
  read: (oid: Oid) => Commit,
): Generator<Placed<Commit>> {
  const waiting: Commit[] = [read(from)];
  const met = new Set<Oid>([from]);
  let sawRoot = false;
  for (let commit = waiting.shift(); commit !== undefined; commit = waiting.shift()) {
    // After a root, and with clocks that went back, an ancestor of what is still to come may be past already.
    yield { commit, cut: waiting.length === 0 && !sawRoot };
    sawRoot ||= commit.parents.length === 0;
    for (const parent of commit.parents) {
      if (met.has(parent)) continue;
      met.add(parent);
      const next = read(parent);
      const older = waiting.findIndex(({ committed }) => committed < next.committed);
      waiting.splice(older < 0 ? waiting.length : older, 0, next);
    }
  }
}
