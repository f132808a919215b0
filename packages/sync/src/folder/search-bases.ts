import { EMPTY_TREE, type Oid } from '@pagetree/wiki/oid';
import { RemoteFailure } from '../transport/remote-failure.ts';
import { type Bases, type BasesParts, claimsOf, findBases } from './find-bases.ts';
import type { RawCommit } from './raw-commit.ts';

export interface SearchParts extends Omit<BasesParts, 'own' | 'before' | 'taken'> {
  /** The address of the remote, for messages. */
  shown: string;
}

/**
 * Finds where both sides were the same. It fetches as little of the remote as tells that: a server that cannot leave objects
 * out sends all versions of all files with its history. Throws RemoteFailure if that is more than can be taken.
 */
export async function searchBases(tip: Oid, parts: SearchParts): Promise<Bases> {
  const { fetched, wiki, pairs, folder, shown: remote } = parts;
  const noFilter = new RemoteFailure('too_large', { remote, reason: 'no_filter' });
  const [newest] = pairs;
  const known = newest?.outside.commit?.oid;
  const none = newest?.wiki === null && known !== undefined ? await findNone(tip, known, parts) : null;
  if (none !== null) return none;
  if (newest?.wiki && known !== undefined) {
    if (!(await fetched.commits(tip, [known]))) throw noFilter;
    const own = await wiki.commits({ haves: [newest.wiki] });
    const bases = await findBases(tip, { ...parts, own, before: newest.wiki });
    // The commits before the known one did not come, and are not needed.
    if (bases.met.has(known) || bases.met.has(tip)) return bases;
  }
  // Nothing is known, or the remote went another way.
  const own = await wiki.commits({ depth: MAX_SEARCHED });
  const taken = takenIn(own, folder);
  const found = await findNear(tip, { ...parts, own, taken });
  if (found !== null) return found;
  const hasMet = claimsOf(own.values(), folder).size > 0 || pairs.some((pair) => pair.wiki !== null);
  if (await fetched.commits(tip, [])) {
    const bases = await findBases(tip, { ...parts, own });
    if (bases.isCut && hasMet) throw new RemoteFailure('too_large', { remote, reason: 'history' });
    return bases;
  }
  const { bases, isEmpty } = await findByDepth(tip, { ...parts, own, taken });
  if (bases !== null) return bases;
  // To merge as if nothing were known would undo what one side has deleted or reverted. A wiki that has only pushed shows
  // no trace of that.
  if (own.size > 0 && (hasMet || !isEmpty)) throw noFilter;
  return findBases(tip, { ...parts, own });
}

/** Looks at what came after a commit up to which nothing stood for the wiki. Null if something does since then. */
async function findNone(tip: Oid, known: Oid, parts: SearchParts): Promise<Bases | null> {
  if (!(await parts.fetched.commits(tip, [known]))) return null;
  const bases = await findBases(tip, { ...parts, own: await parts.wiki.commits({ depth: MAX_SEARCHED }) });
  return bases.met.size === 0 ? bases : null;
}

/** Fetches more and more until all is found, or the remote would send too much. `isEmpty`: nothing is in the folder there. */
async function findByDepth(tip: Oid, parts: BasesParts): Promise<{ bases: Bases | null; isEmpty: boolean }> {
  const { fetched, own } = parts;
  let isEmpty = false;
  for (const depth of own.size === 0 ? [] : DEPTHS) {
    if (!(await fetched.commits(tip, [], depth))) break;
    const bases = await findBases(tip, parts);
    if (!bases.isCut) return { bases, isEmpty };
    isEmpty = (await fetched.ways([tip])).get(tip)?.folder === EMPTY_TREE;
  }
  return { bases: null, isEmpty };
}

/** Looks at what came after the commits of the remote that the wiki has taken in. Null if the remote has gone another way. */
async function findNear(tip: Oid, parts: BasesParts): Promise<Bases | null> {
  const { fetched, taken } = parts;
  const haves = [...(taken?.keys() ?? [])].slice(0, MAX_HAVES);
  if (haves.length === 0) return null;
  if (!taken?.has(tip) && !(await fetched.commits(tip, haves))) return null;
  const bases = await findBases(tip, parts);
  return bases.isCut || bases.met.size === 0 ? null : bases;
}

/**
 * The commits of the remote for which one of the wiki stands, with that, newest first. A header that is there twice was
 * copied, and tells nothing before both commits are looked at.
 */
function takenIn(own: ReadonlyMap<Oid, RawCommit>, folder: string): Map<Oid, Oid> {
  const taken = new Map<Oid, Oid>();
  for (const [oid, [claim, ...others]] of claimsOf(own.values(), folder))
    if (claim !== undefined && others.length === 0) taken.set(oid, claim);
  return taken;
}

/** The commits of the wiki that are looked at if nothing is known of the remote. */
const MAX_SEARCHED = 20_000;
/** All haves go into one request. */
const MAX_HAVES = 200;
/** The commits that come at a time from a server that would send too much. */
const DEPTHS = [1, 10, 100, 1_000, 10_000];
