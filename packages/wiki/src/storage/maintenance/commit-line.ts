import type { CommitText } from '../objects/commit-text.ts';
import type { ObjectReader, Oid } from '../storage.ts';
import { commitsBefore, readCommit, repairedBy } from './stored-commit.ts';

/** Commits in an order that a chain of them may have had: each after all that came before it. */
export interface CommitLine {
  /** The last one is the one that was asked for. A lost one is there where another names it. */
  commits: readonly { commit: Oid; adopted: boolean }[];
  /** The known commits that they come directly after. */
  restsOn: ReadonlySet<Oid>;
  /** Whether some of them are lost, so that nobody knows what came before those. */
  hasLost: boolean;
}

/**
 * A commit and all before it up to those that are `known`. Where a merge has several parents only one was in the chain;
 * but a request that was carried out in a commit without a name would be carried out again, so all get one. The parent
 * with most commits of writers behind it comes last: a writer's commit is always next to the one that it was built on,
 * and a repair's to the one that it came after.
 */
export async function commitLine(
  objects: ObjectReader,
  newest: Oid,
  known: ReadonlySet<Oid>,
): Promise<CommitLine> {
  const { texts, restsOn } = await readBack(objects, newest, known);
  const beforeOf = (commit: Oid) => {
    const text = texts.get(commit);
    return text ? commitsBefore(text).filter((before) => texts.has(before)) : [];
  };
  const writers = new Map<Oid, number>();
  for (const commit of ordered(newest, beforeOf)) {
    const most = Math.max(0, ...beforeOf(commit).map((before) => writers.get(before) ?? 0));
    writers.set(commit, most + (texts.get(commit)?.request ? 1 : 0));
  }
  const weightOf = (commit: Oid) => (texts.get(commit) === null ? Infinity : (writers.get(commit) ?? 0));
  const lightestFirst = (commit: Oid) => {
    const text = texts.get(commit);
    const repaired = text ? repairedBy(text) : null;
    const lightest = beforeOf(commit)
      .filter((before) => before !== repaired)
      .reverse()
      .sort((a, b) => (weightOf(a) === weightOf(b) ? 0 : weightOf(a) - weightOf(b)));
    return repaired !== null && texts.has(repaired) ? [...lightest, repaired] : lightest;
  };
  const commits = ordered(newest, lightestFirst).map((commit) => ({
    commit,
    adopted: texts.get(commit)?.request === null,
  }));
  return { commits, restsOn, hasLost: [...texts.values()].includes(null) };
}

/** The texts of a commit and all before it, null of those that are lost, and the known ones that they rest on. */
async function readBack(objects: ObjectReader, newest: Oid, known: ReadonlySet<Oid>) {
  const texts = new Map<Oid, CommitText | null>();
  const restsOn = new Set<Oid>();
  for (const waiting = [newest]; ; ) {
    const commit = waiting.pop();
    if (commit === undefined) break;
    if (texts.has(commit)) continue;
    const text = await readCommit(objects, commit);
    texts.set(commit, text);
    for (const before of text ? commitsBefore(text) : []) {
      if (known.has(before)) restsOn.add(before);
      else waiting.push(before);
    }
  }
  return { texts, restsOn };
}

/** Each commit after all that came before it; of these the last one comes directly before it, if it is new there. */
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
