import { EMPTY_TREE, type Oid } from '@pagetree/wiki/oid';
import { RemoteFailure } from '../transport/remote-failure.ts';
import { type ClaimsParts, claimsOf } from './claims.ts';
import { type FolderFetch, MAX_COMMITS } from './fetch-folder.ts';
import { ancestorsOf, type Bases, findBases } from './find-bases.ts';
import type { RawCommit } from './raw-commit.ts';

export interface SearchParts extends Omit<ClaimsParts, 'own' | 'before' | 'taken'> {
  /** The address of the remote, for messages. */
  shown: string;
}

/**
 * A commit of the remote before one that the wiki has taken in, although none of the wiki stands for it: several came at once.
 * The wiki has it in its history all the same.
 */
export interface Between {
  commit: Oid;
  /** The commits of the wiki that it has in its history. */
  wiki: readonly Oid[];
}

export interface FoundBases extends Bases {
  /** Those from which the remote went on, or at which it is. */
  between: Between[];
}

/**
 * Finds where both sides were the same. It fetches as little of the remote as tells that: a server that cannot leave objects
 * out sends all versions of all files with its history. Throws RemoteFailure if that is more than can be taken.
 */
export async function searchBases(tip: Oid, parts: SearchParts): Promise<FoundBases> {
  const known = await searchFromReport(tip, parts);
  if (known !== null) return { ...known, between: [] };
  // Nothing is known, or the remote went another way.
  const own = await parts.wiki.commits({ depth: MAX_SEARCHED });
  const near = await findNear(tip, { ...parts, own });
  if (near.bases !== null) return { ...near.bases, between: [] };
  const bases = await searchAll(tip, { ...parts, own, taken: near.taken });
  const between: Between[] = [];
  for (const commit of (await newestOf(near.cut, bases.met, parts.fetched)).slice(0, MAX_BETWEEN))
    between.push({ commit, wiki: (await findBases(commit, { ...parts, own })).wiki });
  const had = await ancestorsOf(
    between.map(({ commit }) => commit),
    parts.fetched,
  );
  return { ...bases, since: bases.since.filter(({ oid }) => !had.has(oid)), between };
}

/** Looks at what came after the last sync. Null if the remote does not come after it. */
async function searchFromReport(tip: Oid, parts: SearchParts): Promise<Bases | null> {
  const { fetched, wiki, pairs, folder, shown: remote } = parts;
  const [newest] = pairs;
  const known = newest?.outside.commit?.oid;
  if (newest === undefined || known === undefined) return null;
  if (newest.wiki === null) return findNone(tip, known, parts);
  const own = await wiki.commits({ haves: [newest.wiki] });
  // The wiki has taken in more than the report says.
  if (claimsOf(own.values(), folder).size > 0) return null;
  if (!(await fetched.commits(tip, [known]))) throw noFilter(remote);
  const bases = await findBases(tip, { ...parts, own, before: newest.wiki });
  // What began before the known commit may have been taken in with others.
  return bases.isSure && bases.cut.length === 0 && bases.met.size > 0 ? bases : null;
}

/** Looks at all of the remote, or at as much as it can be asked for. */
async function searchAll(tip: Oid, parts: SearchParts & ClaimsParts): Promise<Bases> {
  const { fetched, own, pairs, folder, shown: remote } = parts;
  const hasMet = claimsOf(own.values(), folder).size > 0 || pairs.some((pair) => pair.wiki !== null);
  if (await fetched.commits(tip, [])) {
    const bases = await findBases(tip, { ...parts, taken: undefined });
    if (bases.cut.length > 0 && hasMet) throw new RemoteFailure('too_large', { remote, reason: 'history' });
    return bases;
  }
  const { bases, isEmpty } = await findByDepth(tip, parts);
  if (bases !== null) return bases;
  // To merge as if nothing were known would undo what one side has deleted or reverted. A wiki that has only pushed shows
  // no trace of that.
  if (own.size > 0 && (hasMet || !isEmpty)) throw noFilter(remote);
  return findBases(tip, { ...parts, taken: undefined });
}

/** Looks at what came after a commit up to which nothing stood for the wiki. Null if something does since then. */
async function findNone(tip: Oid, known: Oid, parts: SearchParts): Promise<Bases | null> {
  if (!(await parts.fetched.commits(tip, [known]))) return null;
  const bases = await findBases(tip, { ...parts, own: await parts.wiki.commits({ depth: MAX_SEARCHED }) });
  return bases.met.size === 0 ? bases : null;
}

/** Fetches more and more until all is found, or the remote would send too much. `isEmpty`: nothing is in the folder there. */
async function findByDepth(tip: Oid, parts: ClaimsParts): Promise<{ bases: Bases | null; isEmpty: boolean }> {
  const { fetched, own } = parts;
  let isEmpty = false;
  for (const depth of own.size === 0 ? [] : DEPTHS) {
    if (!(await fetched.commits(tip, [], depth))) break;
    const bases = await findBases(tip, parts);
    if (bases.cut.length === 0) return { bases, isEmpty };
    isEmpty = (await fetched.ways([tip])).get(tip)?.folder === EMPTY_TREE;
  }
  return { bases: null, isEmpty };
}

interface Near {
  /** Null if the remote has gone another way. */
  bases: Bases | null;
  /** The commits of the remote that come before some that the wiki has taken in, as the remote says. */
  cut: readonly Oid[];
  taken: ReadonlyMap<Oid, readonly Oid[]>;
}

/** Looks at what came after the commits of the remote that the wiki has taken in. */
async function findNear(tip: Oid, parts: ClaimsParts, left: ReadonlySet<Oid> = new Set()): Promise<Near> {
  const { fetched, own, folder, pairs } = parts;
  const taken = takenIn(own, folder);
  for (const { wiki, outside } of pairs)
    if (wiki !== null && outside.commit !== null) taken.set(outside.commit.oid, [wiki]);
  for (const oid of left) taken.delete(oid);
  const none = { bases: null, cut: [], taken };
  const haves = [...taken.keys()].slice(0, MAX_HAVES);
  if (haves.length === 0) return none;
  fetched.forget();
  if (!taken.has(tip) && !(await fetched.commits(tip, haves))) return none;
  const bases = await findBases(tip, { ...parts, taken });
  const cut = bases.cut.length === 0 ? [] : await fetched.notBehind(bases.cut, [...bases.met]);
  const wrong = await differing(cut.length > 0 ? haves : bases.met, taken, parts);
  if (wrong.length > 0 && left.size >= MAX_WRONG) return none;
  if (wrong.length > 0) return findNear(tip, parts, new Set([...left, ...wrong]));
  // Further commits before those that came need not come before what the wiki has.
  if (bases.since.length >= MAX_COMMITS) return none;
  if (cut.length > 0) return { ...none, cut };
  return bases.isSure && bases.met.size > 0 ? { ...none, bases } : none;
}

/** Those of which the folder is not what the wiki says: its commit was amended. */
async function differing(
  commits: Iterable<Oid>,
  taken: ReadonlyMap<Oid, readonly Oid[]>,
  { fetched, own }: ClaimsParts,
): Promise<Oid[]> {
  const ways = await fetched.waysIfFew([...commits].filter((oid) => taken.has(oid)));
  return [...ways].flatMap(([oid, { folder }]) => {
    const claims = (taken.get(oid) ?? []).map((claim) => own.get(claim));
    return claims.every((claim) => claim === undefined || claim.tree === folder) ? [] : [oid];
  });
}

/** Those of the commits that come neither before another one nor before `met`. */
async function newestOf(
  commits: readonly Oid[],
  met: ReadonlySet<Oid>,
  fetched: FolderFetch,
): Promise<readonly Oid[]> {
  let newest: Oid[] = [];
  const before = new Set(await ancestorsOf(met, fetched));
  for (const commit of commits) {
    if (before.has(commit)) continue;
    const older = await ancestorsOf([commit], fetched);
    newest = [...newest.filter((other) => !older.has(other)), commit];
    for (const oid of older) before.add(oid);
  }
  return newest;
}

/**
 * The commits of the remote for which some of the wiki stand, with those, newest first. If these have different folders, a
 * header was copied, and none of them counts before all are compared.
 */
function takenIn(own: ReadonlyMap<Oid, RawCommit>, folder: string): Map<Oid, readonly Oid[]> {
  const taken = new Map<Oid, readonly Oid[]>();
  for (const [oid, claims] of claimsOf(own.values(), folder))
    if (new Set(claims.map((claim) => own.get(claim)?.tree)).size === 1) taken.set(oid, claims);
  return taken;
}

function noFilter(remote: string): RemoteFailure {
  return new RemoteFailure('too_large', { remote, reason: 'no_filter' });
}

/** The commits of the wiki that are looked at if nothing is known of the remote. */
const MAX_SEARCHED = 20_000;
/** All haves go into one request. */
const MAX_HAVES = 1_000;
/** The commits that come at a time from a server that would send too much. */
const DEPTHS = [1, 10, 100, 1_000, 10_000];
/** Amended commits that are left out one after another. After that the whole history is searched. */
const MAX_WRONG = 20;
/** A merge takes no more bases. */
const MAX_BETWEEN = 10;
