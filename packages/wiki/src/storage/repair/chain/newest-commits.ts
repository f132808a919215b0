import type { Oid } from '../../../formats/oid.ts';
import { type BookedCommit, bookedBefore } from './commit-book.ts';
import { type StoredCommitParts, storedCommits } from './stored-commits.ts';

type StoredCommits = ReadonlyMap<Oid, BookedCommit>;

/**
 * Used if the chain does not name them: the newest commit of each line of commits that the chain most likely
 * held, oldest line first. There are several lines if commits between them are lost. Reads every object.
 * `ref` is the target of the branch ref. Throws OutOfTime.
 */
export async function newestCommits(parts: StoredCommitParts, ref: Oid | null): Promise<Oid[]> {
  const commits = await storedCommits(parts);
  const after = commitsAfter(commits);
  const lines: Line[] = [];
  const taken = new Set<Oid>();
  for (const newest of likelyNewest(commits, after, ref)) {
    if (taken.has(newest)) continue;
    const line = lineOf(commits, newest, taken);
    // An attempt that was never linked: its base, or the commit that it began beside, was continued by
    // another commit. A line that rests on a lost commit began beside none: a merge brought its root in.
    if (line.restsOnTaken || (line.isWhole && lines.some(({ isWhole }) => isWhole))) continue;
    lines.push(line);
    for (const commit of line.all) taken.add(commit);
  }
  return lines.sort((a, b) => a.age - b.age).map(({ newest }) => newest);
}

/**
 * The newest commit according to the ref, then those with the most commits before them; of several, the
 * newest.
 */
function likelyNewest(
  commits: StoredCommits,
  after: ReadonlyMap<Oid, readonly Oid[]>,
  ref: Oid | null,
): Oid[] {
  const depths = depthsOf(commits, after);
  const dateOf = (commit: Oid) => commits.get(commit)?.date ?? 0;
  const writers = [...commits].filter(([, { isWriters }]) => isWriters).map(([commit]) => commit);
  writers.sort((a, b) => (depths.get(b) ?? 0) - (depths.get(a) ?? 0) || dateOf(b) - dateOf(a));
  if (ref === null || !commits.has(ref)) return writers;
  const afterRef = reached(ref, (commit) => after.get(commit) ?? []);
  return [writers.find((commit) => afterRef.has(commit)) ?? ref, ...writers];
}

interface Line {
  newest: Oid;
  all: ReadonlySet<Oid>;
  /** True if no commit of it is lost: then it ends in a beginning. */
  isWhole: boolean;
  restsOnTaken: boolean;
  /** Orders the lines: only a whole one is certain to be the oldest. */
  age: number;
}

function lineOf(commits: StoredCommits, newest: Oid, taken: ReadonlySet<Oid>): Line {
  const all = reached(newest, (commit) => (taken.has(commit) ? [] : beforeIn(commits, commit)));
  const isWhole = [...all].every((commit) => commits.has(commit));
  return {
    newest,
    all,
    isWhole,
    restsOnTaken: [...all].some((commit) => taken.has(commit)),
    age: isWhole ? 0 : (commits.get(newest)?.date ?? 0),
  };
}

function beforeIn(commits: StoredCommits, commit: Oid): readonly Oid[] {
  const booked = commits.get(commit);
  return booked ? bookedBefore(booked) : [];
}

/** A commit and all commits that `next` reaches from it. */
function reached(commit: Oid, next: (commit: Oid) => readonly Oid[]): Set<Oid> {
  const all = new Set([commit]);
  for (const met of all) for (const other of next(met)) all.add(other);
  return all;
}

function commitsAfter(commits: StoredCommits): Map<Oid, Oid[]> {
  const after = new Map<Oid, Oid[]>();
  for (const [commit, booked] of commits) {
    for (const oid of bookedBefore(booked)) {
      const others = after.get(oid);
      if (others) others.push(commit);
      else after.set(oid, [commit]);
    }
  }
  return after;
}

/** The number of commits in a row up to each one. */
function depthsOf(commits: StoredCommits, after: ReadonlyMap<Oid, readonly Oid[]>): Map<Oid, number> {
  const depths = new Map<Oid, number>();
  const missing = new Map<Oid, number>();
  const ready: Oid[] = [];
  for (const [commit, booked] of commits) {
    const stored = bookedBefore(booked).filter((oid) => commits.has(oid)).length;
    missing.set(commit, stored);
    if (stored === 0) ready.push(commit);
  }
  for (const commit of ready) {
    const before = beforeIn(commits, commit).map((oid) => depths.get(oid) ?? 0);
    depths.set(commit, 1 + Math.max(0, ...before));
    for (const next of after.get(commit) ?? []) {
      const left = (missing.get(next) ?? 0) - 1;
      missing.set(next, left);
      if (left === 0) ready.push(next);
    }
  }
  return depths;
}
