import type { Oid } from '@pagetree/wiki/oid';
import { yielding } from '@pagetree/wiki/yielding';
import type { FolderFetch } from './fetch-folder.ts';
import type { RawCommit } from './raw-commit.ts';
import type { WikiObjects } from './wiki-objects.ts';

export interface OvertakenParts {
  fetched: FolderFetch;
  wiki: WikiObjects;
  /** The newest commits of the wiki: with each one all that come after it. */
  own: ReadonlyMap<Oid, RawCommit>;
  /** The commit that has all others of the wiki in its history, if there is one. */
  before?: Oid | undefined;
  /** The commits of the wiki of which one stands for a commit of the remote, if any does. */
  claimed(commit: Oid): readonly Oid[];
  /** Those of them whose own headers say so: no command on the remote copies these. */
  stood(commit: Oid): readonly Oid[];
}

/**
 * True if commits before `commit` stand for something that none of `claim` has in its history. A sync pushes only on what
 * the wiki has, so that the header was copied: `git replay` applies a commit once more, and keeps it.
 */
export async function isOvertaken(
  commit: RawCommit,
  claim: readonly Oid[],
  parts: OvertakenParts,
): Promise<boolean> {
  const { fetched, wiki, own, before, claimed, stood } = parts;
  const reached = reachedFrom(claim, own);
  const commits = [...own.values()];
  const isWhole = own.size > 0 && commits.every(({ parents }) => parents.every((parent) => own.has(parent)));
  // What is not among the newest commits then belongs to another wiki, to one that was put back, or comes before the claim.
  const areOthersBehind = isWhole || (before !== undefined && reached.has(before));
  const isBehind = async (other: Oid) => {
    if (own.has(other)) return false;
    if (areOthersBehind || !(await wiki.isInHistory(other))) return true;
    for (const each of claim) if (await wiki.isInHistory(other, each)) return true;
    return false;
  };
  const seen = new Set(commit.parents);
  const yieldIfDue = yielding();
  for (const oid of seen) {
    await yieldIfDue();
    // The wiki has all that comes before it in its history, also what it noted later.
    if (stood(oid).some((each) => reached.has(each))) continue;
    for (const parent of fetched.commit(oid)?.parents ?? []) seen.add(parent);
    const claims = claimed(oid);
    if (claims.some((each) => reached.has(each))) continue;
    for (const each of claims) if (!(await isBehind(each))) return true;
  }
  return false;
}

/** The commits with those before them that can be told without asking the wiki. */
function reachedFrom(claim: readonly Oid[], own: ReadonlyMap<Oid, RawCommit>): ReadonlySet<Oid> {
  const reached = new Set(claim);
  for (const oid of reached) for (const parent of own.get(oid)?.parents ?? []) reached.add(parent);
  return reached;
}
