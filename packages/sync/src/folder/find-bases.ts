import type { Oid } from '@pagetree/wiki/oid';
import { yielding } from '@pagetree/wiki/yielding';
import type { FolderFetch } from './fetch-folder.ts';
import type { Pair } from './kept-pairs.ts';
import type { Outside } from './outside.ts';
import { isOvertaken } from './overtaken.ts';
import type { RawCommit } from './raw-commit.ts';
import type { WikiObjects } from './wiki-objects.ts';

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

export interface BasesParts {
  fetched: FolderFetch;
  wiki: WikiObjects;
  folder: string;
  /** The pairs of the report. */
  pairs: readonly Pair[];
  /** Commits of the wiki, newest first. */
  own: ReadonlyMap<Oid, RawCommit>;
  /** The commit of the wiki that has all others in its history. */
  before?: Oid;
  /** Commits of the remote, each with that of the wiki which stands for it: nothing of them has to come. */
  taken?: ReadonlyMap<Oid, Oid> | undefined;
}

/** Follows the fetched commits from `tip` by all of their parents, up to those that stand for commits of the wiki. */
export async function findBases(tip: Oid, parts: BasesParts): Promise<Bases> {
  const { fetched, wiki, folder, pairs, own, before } = parts;
  const claims = claimsOf(own.values(), folder);
  const settled = new Map<Oid, Oid | null>(parts.taken);
  for (const { wiki: commit, outside } of pairs)
    if (commit !== null && outside.commit !== null) settled.set(outside.commit.oid, commit);
  const ways = new Map<Oid, Outside>();
  const pushed = new Set<Oid>();
  let isSure = true;
  const named = ({ stands }: RawCommit): Oid | null =>
    stands?.side === 'wiki' && stands.folder === folder ? stands.oid : null;
  /** Those that came with the one that the header names count if that is lost: the wiki was put back. */
  const further = (commit: RawCommit): Oid[] =>
    named(commit) === null ? [] : (commit.stands?.brings?.commits ?? []).filter((oid) => own.has(oid));
  const headers = (commit: RawCommit): Oid[] => {
    const header = named(commit);
    return header === null ? [] : [header, ...further(commit)];
  };
  const claimed = (commit: RawCommit): Oid[] => [...(claims.get(commit.oid) ?? []), ...headers(commit)];
  /** Of what the wiki says and what the header does, the wiki is to be believed. */
  const likely = (oid: Oid): readonly Oid[] => {
    const known = settled.get(oid);
    if (known !== undefined) return known === null ? [] : [known];
    const commit = fetched.commit(oid);
    const header = commit === null ? null : named(commit);
    return claims.get(oid) ?? (header === null ? [] : [header]);
  };
  /** Whoever amends a commit of ours keeps its header. So that counts only if both have the same folder. */
  const isSound = async (commit: RawCommit, claim: RawCommit): Promise<boolean> => {
    const isHeader = headers(commit).includes(claim.oid);
    const folder = ways.get(commit.oid)?.folder;
    const tree = further(commit).includes(claim.oid) ? commit.stands?.brings?.tree : claim.tree;
    const isSame = folder === undefined ? !isHeader : folder === tree;
    if (!isSame || !(await wiki.isInHistory(claim.oid))) return false;
    return (
      !isHeader || !(await isOvertaken(commit, claim.oid, { fetched, wiki, own, before, claimed: likely }))
    );
  };
  const firstSound = async (commit: RawCommit): Promise<RawCommit | null> => {
    for (const oid of claimed(commit)) {
      const claim = await wiki.commit(oid);
      if (claim !== null && (await isSound(commit, claim))) return claim;
    }
    return null;
  };
  for (let ahead = 0; ; ahead = Math.min(ahead * 2 + 1, MAX_OPEN)) {
    const walk = await walkBack(tip, { fetched, settled, claimed, ahead });
    const open = walk.open.slice(0, MAX_OPEN);
    if (open.length === 0) {
      const newest = await wiki.newestOf([...walk.found.values()]);
      const met = new Set(walk.found.keys());
      const older = await ancestorsOf(met, fetched);
      const since = walk.since.filter(({ oid }) => !older.has(oid));
      const isAway = (oid: Oid) => !met.has(oid) && fetched.commit(oid) === null;
      const cut = new Set([tip, ...since.flatMap(({ parents }) => parents)].filter(isAway));
      return { wiki: newest, met, pushed: [...pushed], cut: [...cut], isSure, since, ways };
    }
    for (const [oid, way] of await fetched.ways(open.map(({ oid }) => oid))) ways.set(oid, way);
    for (const commit of open) {
      const sound = await firstSound(commit);
      settled.set(commit.oid, sound?.oid ?? null);
      if (sound === null && !ways.has(commit.oid)) isSure = false;
      // Whoever has the remote knows the ids of what stands for it in the wiki, and can claim those.
      if (sound !== null && headers(commit).includes(sound.oid) && sound.stands?.side !== 'remote')
        pushed.add(sound.oid);
    }
  }
}

/** By commit of the remote, those of the wiki that say to stand for it. */
export function claimsOf(own: Iterable<RawCommit>, folder: string): Map<Oid, Oid[]> {
  const claims = new Map<Oid, Oid[]>();
  for (const { oid, stands } of own)
    if (stands?.side === 'remote' && stands.folder === folder)
      claims.set(stands.oid, [...(claims.get(stands.oid) ?? []), oid]);
  return claims;
}

interface Walk {
  /** By commit of the remote, that of the wiki which stands for it. */
  found: Map<Oid, Oid>;
  /** Commits of the remote for which one of the wiki may stand. While there are any, the rest is not final. */
  open: RawCommit[];
  since: RawCommit[];
}

interface WalkParts {
  fetched: FolderFetch;
  /** The commits that were looked at. Null if none of the wiki stands for it. */
  settled: ReadonlyMap<Oid, Oid | null>;
  claimed(commit: RawCommit): readonly Oid[];
  /** So many open ones are looked for also behind others: most of a long line may be amended ones, which count no more. */
  ahead: number;
}

async function walkBack(tip: Oid, { fetched, settled, claimed, ahead }: WalkParts): Promise<Walk> {
  const walk: Walk = { found: new Map(), open: [], since: [] };
  const seen = new Set([tip]);
  const yieldIfDue = yielding();
  for (const oid of seen) {
    await yieldIfDue();
    const stands = settled.get(oid);
    if (stands) walk.found.set(oid, stands);
    const commit = stands ? null : fetched.commit(oid);
    if (commit === null) continue;
    const isOpen = stands === undefined && claimed(commit).length > 0;
    if (isOpen) walk.open.push(commit);
    else walk.since.push(commit);
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
