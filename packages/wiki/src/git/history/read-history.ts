import type { CommitInfo, LoggedCommit } from '../../core/commit-info.ts';
import type { Commit, Signature } from '../../formats/commit.ts';
import type { Oid } from '../../formats/oid.ts';
import { splitMessage } from '../change/commit-message.ts';
import { conflictMarks } from '../merging/conflict-trailers.ts';
import type { Objects } from '../objects.ts';
import { CommitQueue } from './commit-queue.ts';

/**
 * `from` and all its ancestors in the order of `git log`: always the newest known commit by committer date
 * next.
 */
export async function* walkHistory(objects: Objects, from: Oid): AsyncIterable<LoggedCommit> {
  const queue = new CommitQueue();
  const seen = new Set<Oid>();
  queue.add(from, await objects.commit(from));
  for (let next = queue.take(); next !== null; next = queue.take()) {
    const marks = conflictMarks(next.commit);
    yield { ...commitInfo(next.oid, next.commit), ...(marks && { marks }) };
    const { parents } = next.commit;
    // While history is one line, no commit can come twice: nothing needs to be remembered, however long it
    // is.
    const line = queue.isEmpty && parents.length === 1;
    for (const parent of parents) {
      if (seen.has(parent)) continue;
      if (!line) seen.add(parent);
      queue.add(parent, await objects.commit(parent));
    }
  }
}

export function commitInfo(oid: Oid, commit: Commit): CommitInfo {
  const { text, agent } = splitMessage(commit.message);
  const { name, email } = commit.author;
  return {
    oid,
    parents: [...commit.parents],
    author: { name, email, date: dateOf(commit.author) },
    committed: dateOf(commit.committer),
    message: text,
    agent,
  };
}

function dateOf({ seconds }: Signature): Date {
  return new Date(seconds * 1000);
}
