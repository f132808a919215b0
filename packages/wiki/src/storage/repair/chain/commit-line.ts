import type { Oid } from '../../../formats/oid.ts';
import { type BookedCommit, bookedBefore, type CommitBook } from './commit-book.ts';

/** Commits in an order that a chain of them may have had: each after all its predecessors. */
export interface CommitLine {
  /** The last one is the requested commit. A lost commit is included if another one names it. */
  commits: readonly { commit: Oid; adopted: boolean }[];
  /** The known commits that come directly before them. */
  restsOn: ReadonlySet<Oid>;
  /** True if some of them are lost, so that nobody knows which commits came before those. */
  hasLost: boolean;
}

/**
 * A commit and all commits before it, up to those that are `known`. If a merge has several parents, only one
 * of them was in the chain. But a request whose commit has no name would be carried out again, so all parents
 * get one. The parent with the most commits of writers behind it comes last: then a writer's commit always
 * follows the one on which it was built, and a repair's commit the one after which it came.
 */
export async function commitLine(book: CommitBook, newest: Oid, known: KnownCommits): Promise<CommitLine> {
  const { texts, restsOn } = await readBack(book, newest, known);
  const beforeOf = (commit: Oid) => {
    const text = texts.get(commit);
    return text ? bookedBefore(text).filter((before) => texts.has(before)) : [];
  };
  const writers = new Map<Oid, number>();
  for (const commit of ordered(newest, beforeOf)) {
    const most = Math.max(0, ...beforeOf(commit).map((before) => writers.get(before) ?? 0));
    writers.set(commit, most + (texts.get(commit)?.isWriters ? 1 : 0));
  }
  const weightOf = (commit: Oid) => (texts.get(commit) === null ? Infinity : (writers.get(commit) ?? 0));
  const lightestFirst = (commit: Oid) => {
    const text = texts.get(commit);
    const repaired = text?.repaired ?? null;
    const lightest = beforeOf(commit)
      .filter((before) => before !== repaired)
      .reverse()
      .sort((a, b) => (weightOf(a) === weightOf(b) ? 0 : weightOf(a) - weightOf(b)));
    return repaired !== null && texts.has(repaired) ? [...lightest, repaired] : lightest;
  };
  const commits = ordered(newest, lightestFirst).map((commit) => ({
    commit,
    // A lost commit counts as a writer's.
    adopted: texts.get(commit)?.isWriters === false,
  }));
  return { commits, restsOn, hasLost: [...texts.values()].includes(null) };
}

export type KnownCommits = Pick<ReadonlySet<Oid>, 'has'>;

/**
 * A commit and all commits before it, null for lost ones, and the known commits on which they
 * rest.
 */
async function readBack(book: CommitBook, newest: Oid, known: KnownCommits) {
  const texts = new Map<Oid, BookedCommit | null>();
  const restsOn = new Set<Oid>();
  for (const waiting = [newest]; ; ) {
    const commit = waiting.pop();
    if (commit === undefined) break;
    if (texts.has(commit)) continue;
    const text = await book.read(commit);
    texts.set(commit, text);
    for (const before of text ? bookedBefore(text) : []) {
      if (known.has(before)) restsOn.add(before);
      else waiting.push(before);
    }
  }
  return { texts, restsOn };
}

/** Each commit after all its predecessors. The last of these comes directly before it if it is new there. */
function ordered(newest: Oid, beforeOf: (commit: Oid) => readonly Oid[]): Oid[] {
  const done = new Set<Oid>();
  const path = [{ commit: newest, waiting: beforeOf(newest).toReversed() }];
  for (let at = path.at(-1); at; at = path.at(-1)) {
    const next = at.waiting.pop();
    if (next === undefined) {
      done.add(at.commit);
      path.pop();
    } else if (!done.has(next)) path.push({ commit: next, waiting: beforeOf(next).toReversed() });
  }
  return [...done];
}
