import type { Oid } from '../../contract/ids.ts';

/** The facts about a commit that decide its place in the order of `git log`. */
export interface OrderedCommit {
  oid: Oid;
  parents: readonly Oid[];
  committed: number;
}

export interface Placed<Commit> {
  commit: Commit;
  /** True if everything after it in the order is an ancestor of it, and all its ancestors are there. */
  cut: boolean;
}

/**
 * Commits in the order of `git log` from a commit back, newest first. Of the commits whose child was yielded,
 * the one with the newest date comes next; of equal dates, the one that was met first.
 */
export function* inLogOrder<Commit extends OrderedCommit>(
  from: Oid,
  read: (oid: Oid) => Commit,
): Generator<Placed<Commit>> {
  const waiting: Commit[] = [read(from)];
  const met = new Set<Oid>([from]);
  let sawRoot = false;
  for (let commit = waiting.shift(); commit !== undefined; commit = waiting.shift()) {
    // After a root, and with clocks that went back, an ancestor of a later commit may already have been
    // yielded.
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
