import { type ParsedCommit, parseCommit } from '../../formats/commit.ts';
import type { Oid } from '../../formats/oid.ts';
import type { CommitChain } from '../commits/chain.ts';
import type { ChainEnd, ChainLink } from '../commits/chain-link.ts';
import { isAncestor, reaches } from '../commits/history.ts';
import type { Requests } from '../commits/requests.ts';
import type { CommitOutcome, CommitRequest, MergeForeign, ObjectReader } from '../storage.ts';
import { StorageError, type StorageErrorCode } from '../storage-error.ts';
import type { BranchRef, RefValue } from './branch-ref.ts';
import { openBroughtIn, requestFor } from './brought-in.ts';
import type { ExternalRefs } from './external-refs.ts';
import { openLinkedCommits } from './linked-commits.ts';
import { type LostNames, openLostNames, type Taken } from './lost-names.ts';

/** Takes the changes that native git made to the branch into the chain. */
export interface Adoption extends LostNames {
  /**
   * The end of the chain, including everything that the branch ref named when the call began. On a shared
   * mount the ref counts only while the chain is empty: no other program may move it there.
   */
  refresh(): Promise<Reached>;
  /** Does the same. If the wiki is read-only, `commit` is the newest one that the chain or the ref names. */
  head(): Promise<Pick<Reached, 'behind'> & { commit: Oid | null }>;
  /** True if the chain holds everything that a ref names, so that the ref may move to the chain's end. */
  covers(commit: Oid): Promise<boolean>;
  /** True if a commit that the chain does not hold came in at or before `end`. */
  hasComeIn(commit: Oid, end: ChainLink): Promise<boolean>;
}

/** The end of the chain, and the value of the branch ref if it must still be moved there. */
export interface Reached {
  end: ChainEnd;
  behind: { ref: Oid | null } | null;
}

export interface AdoptionParts {
  shared: boolean;
  chain: CommitChain;
  ref: BranchRef;
  externalRefs: ExternalRefs;
  requests: Requests;
  objects: ObjectReader;
  mergeForeign: MergeForeign;
  land(start: ChainEnd, request: CommitRequest): Promise<CommitOutcome>;
  /** Makes the wiki's own directories in a repository that native git made. */
  prepare(): Promise<void>;
  /** True if a writer of this branch made the commit, as far as this can be known without the chain. */
  wasMadeHere(commit: Oid, text: ParsedCommit): Promise<boolean>;
  /**
   * True if a chain was begun here, as far as this can be known without the chain. The ref names `commit`.
   */
  hasChainLeftTraces(commit: Oid | null): Promise<boolean>;
}

export function openAdoption(parts: AdoptionParts): Adoption {
  const { shared, chain, ref, externalRefs, requests, objects } = parts;
  const broughtIn = openBroughtIn(parts);
  const linkedUpTo = openLinkedCommits(chain);
  /** The value of the ref when the chain was last seen to cover it. */
  let covered: Oid | null = null;
  let isRightlyEmpty = false;

  async function refresh(): Promise<Reached> {
    for (;;) {
      const end = await chain.refresh();
      if (shared && end) return { end, behind: null };
      const value = await ref.read();
      if (end === null && (await hasBegunMeanwhile(value))) continue;
      const named = commitIn(value);
      if (named !== null && named === end?.commit) {
        covered = named;
        return { end, behind: null };
      }
      // The ref lags, a crash emptied it, or it was deleted or moved back. In each case the chain is right.
      if (named === null || named === covered) return { end, behind: end && { ref: named } };
      await take(end, named);
    }
  }

  /** True if another process has begun the chain since we found it empty. Throws if the chain is lost. */
  async function hasBegunMeanwhile(value: RefValue): Promise<boolean> {
    if (isRightlyEmpty) return false;
    isRightlyEmpty = !(await parts.hasChainLeftTraces(commitIn(value)));
    if (isRightlyEmpty) return false;
    // A trace is left only after the first name of the chain.
    if ((await chain.refresh()) !== null) return true;
    const message =
      'The order of the commits (pagetree/chain-*) is lost, so nobody knows which of them is the newest.';
    throw new StorageError('corrupt_chain', message);
  }

  async function head() {
    try {
      const { end, behind } = await refresh();
      return { commit: end?.commit ?? null, behind };
    } catch (error) {
      if (!(error instanceof StorageError) || !READ_ONLY.has(error.code)) throw error;
      const end = chain.known();
      if (end) return { commit: end.commit, behind: null };
      return { commit: commitIn(await ref.read()), behind: null };
    }
  }

  async function take(end: ChainEnd, foreign: Oid): Promise<Taken> {
    let outcome: 'held' | 'taken' = 'held';
    if (end === null || !(await linkedUpTo(end)(foreign))) {
      if (await readingBack(foreign, () => isAhead(end, foreign))) return takeAhead(end, foreign);
      if (!(await covers(foreign))) {
        await bringIn(end, foreign);
        outcome = 'taken';
      }
    }
    covered = foreign;
    return outcome;
  }

  async function takeAhead(end: ChainEnd, foreign: Oid): Promise<'taken' | 'changed'> {
    const isOwn = end !== null && (await readingBack(foreign, () => holdsOwn(end, foreign)));
    if (!isOwn) return (await adopt(end, foreign)) ? 'taken' : 'changed';
    // Another process linked it and moved the ref since the chain was read; or its name is lost.
    if ((await chain.refresh())?.commit !== end?.commit) return 'changed';
    throw endIsLost();
  }

  /**
   * A walk back from a foreign commit ends where it meets the chain: everything behind that is older than the
   * end.
   */
  async function isAhead(end: ChainEnd, foreign: Oid): Promise<boolean> {
    await objects.read(foreign);
    return end === null || (await reaches(objects, foreign, end.commit, linkedUpTo(end)));
  }

  /**
   * True if writers of this branch made some of the commits after the end. Writers link their commits before
   * a ref moves.
   */
  async function holdsOwn(end: ChainLink, foreign: Oid): Promise<boolean> {
    const met = new Set([foreign]);
    const isLinked = linkedUpTo(end);
    for (const commit of met) {
      if (await isLinked(commit)) continue;
      const text = parseCommit((await objects.read(commit)).content);
      if (await parts.wasMadeHere(commit, text)) return true;
      for (const parent of text.parents) met.add(parent);
    }
    return false;
  }

  /** Adopts commits that were pushed or committed on top of the wiki. False if another commit came first. */
  async function adopt(end: ChainEnd, foreign: Oid): Promise<boolean> {
    await parts.prepare();
    await requests.remember(end);
    const isLinked = await chain.append(end, foreign, true);
    await chain.sync();
    return isLinked;
  }

  async function covers(commit: Oid): Promise<boolean> {
    const end = await chain.refresh();
    return end !== null && ((await linkedUpTo(end)(commit)) || (await hasComeIn(commit, end)));
  }

  async function hasComeIn(commit: Oid, end: ChainLink): Promise<boolean> {
    return (await broughtIn.includes(commit, end)) || isAncestor(objects, commit, end.commit);
  }

  /**
   * Both sides moved on: the changes of the foreign commit come in as one commit on top of the wiki. The
   * request id is derived from the foreign commit, so that it comes in once, even if several processes see
   * it.
   */
  async function bringIn(end: ChainEnd, foreign: Oid): Promise<void> {
    await externalRefs.keep(foreign);
    await parts.land(end, {
      ...requestFor(foreign),
      build: async (base, transaction) => {
        if (base === null) throw new Error('A foreign commit is brought into a wiki that has one.');
        if (await covers(foreign)) return null;
        return parts.mergeForeign(base, foreign, transaction);
      },
    });
  }

  const lostNames = openLostNames({ chain, objects, externalRefs, broughtIn, linkedUpTo, hasComeIn, take });
  return { ...lostNames, refresh, head, covers, hasComeIn };
}

/**
 * If part of a foreign commit's history is lost, the branch can be moved away from it, as the chain never
 * knew of it.
 */
async function readingBack<T>(foreign: Oid, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'missing_object') throw error;
    const message = `The branch names commit ${foreign}, and objects of its history are not in the repository.`;
    throw new StorageError('ref_conflict', message, { ref: foreign }, { cause: error });
  }
}

export function endIsLost(): StorageError {
  const message =
    'The last names of the order of the commits (pagetree/chain-*) are lost: there is a later commit of this wiki.';
  return new StorageError('corrupt_chain', message);
}

const READ_ONLY: ReadonlySet<StorageErrorCode> = new Set(['read_only', 'permission_denied']);

function commitIn(ref: RefValue): Oid | null {
  return ref.kind === 'commit' ? ref.commit : null;
}
