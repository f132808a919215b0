import type { Oid } from '@pagetree/wiki/oid';
import { yielding } from '@pagetree/wiki/yielding';
import { Claims, type ClaimsParts } from './claims.ts';
import type { FolderFetch } from './fetch-folder.ts';
import type { Outside } from './outside.ts';
import type { RawCommit } from './raw-commit.ts';

export interface Bases {
  /** The commits of the wiki that a commit of the remote has in its history. None of them is in the history of another. */
  wiki: Oid[];
  /** The commits of the remote for which they and older ones stand. */
  met: ReadonlySet<Oid>;
  /** Those of `wiki` and older ones that the remote got by a push: it has what the wiki was then. */
  pushed: Oid[];
  /** The commits that were not fetched, and may have more of them in their history. */
  cut: Oid[];
  /** False if the folder of a commit with a header could not be read: a server leaves out trees that older commits have too. */
  isSure: boolean;
  /** Those of the remote that lead to it and that the wiki does not have, newest first. */
  since: RawCommit[];
  /** The ways to folders that were found. */
  ways: Map<Oid, Outside>;
}

/** Follows the fetched commits from `tip` by all of their parents, up to those that stand for commits of the wiki. */
export async function findBases(tip: Oid, parts: ClaimsParts): Promise<Bases> {
  const { fetched, wiki } = parts;
  const claims = new Claims(parts);
  for (let ahead = 0; ; ahead = Math.min(ahead * 2 + 1, MAX_OPEN)) {
    const walk = await walkBack(tip, { fetched, claims, ahead });
    if (walk.open.length > 0) {
      await claims.settle(walk.open.slice(0, MAX_OPEN));
      continue;
    }
    const met = new Set(walk.found.keys());
    const older = await ancestorsOf(met, fetched);
    const since = walk.since.filter(({ oid }) => !older.has(oid));
    const isAway = (oid: Oid) => !met.has(oid) && fetched.commit(oid) === null;
    const { pushed, isSure, ways } = claims;
    return {
      wiki: await wiki.newestOf([...walk.found.values()].flat()),
      met,
      pushed: [...pushed],
      cut: [...new Set([tip, ...since.flatMap(({ parents }) => parents)].filter(isAway))],
      isSure,
      since,
      ways,
    };
  }
}

interface Walk {
  /** By commit of the remote, those of the wiki that stand for it. */
  found: Map<Oid, readonly Oid[]>;
  /** Commits of the remote for which one of the wiki may stand. While there are any, the rest is not final. */
  open: RawCommit[];
  since: RawCommit[];
}

interface WalkParts {
  fetched: FolderFetch;
  claims: Claims;
  /** So many open ones are looked for also behind others: most of a long line may be amended ones, which count no more. */
  ahead: number;
}

async function walkBack(tip: Oid, { fetched, claims, ahead }: WalkParts): Promise<Walk> {
  const walk: Walk = { found: new Map(), open: [], since: [] };
  const seen = new Set([tip]);
  const yieldIfDue = yielding();
  for (const oid of seen) {
    await yieldIfDue();
    const stands = claims.settled.get(oid);
    const isFound = stands !== undefined && stands.length > 0;
    if (isFound) walk.found.set(oid, stands);
    const commit = isFound && !claims.inPart.has(oid) ? null : fetched.commit(oid);
    if (commit === null) continue;
    const isOpen = stands === undefined && claims.of(commit).length > 0;
    if (isOpen) walk.open.push(commit);
    else if (!isFound) walk.since.push(commit);
    if (!isOpen || walk.open.length < ahead) for (const parent of commit.parents) seen.add(parent);
  }
  return walk;
}

/** The commits with all that were fetched of those before them. */
export async function ancestorsOf(commits: Iterable<Oid>, fetched: FolderFetch): Promise<ReadonlySet<Oid>> {
  const seen = new Set(commits);
  const yieldIfDue = yielding();
  for (const oid of seen) {
    await yieldIfDue();
    for (const parent of fetched.commit(oid)?.parents ?? []) seen.add(parent);
  }
  return seen;
}

/** So many are looked at in one turn. */
const MAX_OPEN = 50;
