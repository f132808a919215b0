import { type CommitText, parseCommit } from '../objects/commit-text.ts';
import type { CommitOutcome, CommitRequest, MergeForeign, ObjectReader, Oid } from '../storage.ts';
import { StorageError, type StorageErrorCode } from '../storage-error.ts';
import type { BranchRef, RefValue } from './branch-ref.ts';
import { openBroughtIn, requestFor } from './brought-in.ts';
import type { CommitChain } from './chain.ts';
import type { ChainEnd, ChainLink } from './chain-link.ts';
import type { ExternalRefs } from './external-refs.ts';
import { isAncestor, reaches } from './history.ts';
import type { Requests } from './requests.ts';

/** Takes into the chain what native git did to the branch. */
export interface Adoption {
  /**
   * The end of the chain, with everything that the branch ref named when the call began. On a shared mount the
   * ref counts only as long as the chain is empty: nobody else may move it there.
   */
  refresh(): Promise<ChainEnd>;
  /** The commit at that end; where the wiki may only be read, the newest one that the chain or the ref names. */
  head(): Promise<Oid | null>;
  /** Whether the chain holds all of what a ref names, so that the ref may be moved to the chain's end. */
  covers(commit: Oid): Promise<boolean>;
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
  /** Moves the branch ref to the chain's end, soon; `found` is what it holds now. */
  moveRefSoon(found: Oid | null): void;
  /** Makes the wiki's own directories in a repository that native git made. */
  prepare(): Promise<void>;
  /** Whether a writer of this branch made the commit, as far as can be told without the chain. */
  wasMadeHere(commit: Oid, text: CommitText): Promise<boolean>;
  /** Whether somebody has begun the chain, as far as can be told without it; the ref names `commit`. */
  hasChainLeftTraces(commit: Oid | null): Promise<boolean>;
}

export function openAdoption(parts: AdoptionParts): Adoption {
  const { shared, chain, ref, externalRefs, requests, objects, moveRefSoon } = parts;
  const broughtIn = openBroughtIn({ externalRefs, requests, chain, objects });
  /** What the ref held when the chain was last seen to cover it. */
  let covered: Oid | null = null;
  let isRightlyEmpty = false;

  async function refresh(): Promise<ChainEnd> {
    for (;;) {
      const end = await chain.refresh();
      if (shared && end) return end;
      const value = await ref.read();
      if (end === null && (await hasBegunMeanwhile(value))) continue;
      if (value.kind === 'commit' && value.commit === end?.commit) {
        covered = value.commit;
        return end;
      }
      if (value.kind !== 'commit' || value.commit === covered) {
        // It lags, or a crash emptied it, or it was deleted or moved back: the chain knows better.
        if (end) moveRefSoon(value.kind === 'commit' ? value.commit : null);
        return end;
      }
      await take(end, value.commit);
    }
  }

  /** Whether another process has begun the chain since we found it empty. Throws where it is lost. */
  async function hasBegunMeanwhile(value: RefValue): Promise<boolean> {
    if (isRightlyEmpty) return false;
    const named = value.kind === 'commit' ? value.commit : null;
    isRightlyEmpty = !(await parts.hasChainLeftTraces(named));
    if (isRightlyEmpty) return false;
    // A trace is left only after the chain's first name.
    if ((await chain.refresh()) !== null) return true;
    const message =
      'The order of the commits (pagetree/chain-*) is lost, so nobody knows which of them is the newest.';
    throw new StorageError('corrupt_chain', message);
  }

  async function head(): Promise<Oid | null> {
    try {
      return (await refresh())?.commit ?? null;
    } catch (error) {
      if (!(error instanceof StorageError) || !READ_ONLY.has(error.code)) throw error;
      const end = chain.known();
      if (end) return end.commit;
      const value = await ref.read();
      return value.kind === 'commit' ? value.commit : null;
    }
  }

  async function take(end: ChainEnd, foreign: Oid): Promise<void> {
    const isBehind = end !== null && (await chain.hasSuccessor(foreign));
    if (!isBehind) {
      if (await readingBack(foreign, () => isAhead(end, foreign))) {
        const isOwn = end !== null && (await readingBack(foreign, () => holdsOwn(end, foreign)));
        if (!isOwn) return adopt(end, foreign);
        // Another process linked it and moved the ref since the chain was read; or its name is lost.
        if ((await chain.refresh())?.commit !== end?.commit) return;
        throw endIsLost();
      }
      if (!(await covers(foreign))) await bringIn(end, foreign);
    }
    covered = foreign;
    moveRefSoon(foreign);
  }

  /** A walk back from a foreign commit ends where it meets the chain: all behind that is older than its end. */
  async function isAhead(end: ChainEnd, foreign: Oid): Promise<boolean> {
    await objects.read(foreign);
    return end === null || (await reaches(objects, foreign, end.commit, chain.hasSuccessor));
  }

  /** Whether some of the commits after the end were made by writers of this branch, which link them before a ref moves. */
  async function holdsOwn(end: ChainLink, foreign: Oid): Promise<boolean> {
    const met = new Set([foreign]);
    for (const commit of met) {
      if (commit === end.commit || (await chain.hasSuccessor(commit))) continue;
      const text = parseCommit((await objects.read(commit)).content);
      if (await parts.wasMadeHere(commit, text)) return true;
      for (const parent of text.parents) met.add(parent);
    }
    return false;
  }

  /** Someone pushed, or committed, on top of the wiki. */
  async function adopt(end: ChainEnd, foreign: Oid): Promise<void> {
    await parts.prepare();
    await requests.remember(end);
    await chain.append(end, foreign, true);
    await chain.sync();
  }

  async function covers(commit: Oid): Promise<boolean> {
    const end = await chain.refresh();
    if (end === null) return false;
    if (commit === end.commit || (await chain.hasSuccessor(commit))) return true;
    return (await broughtIn.includes(commit, end)) || isAncestor(objects, commit, end.commit);
  }

  /**
   * Both moved on: what the foreign commit changed comes in as one commit on top of the wiki. Its request id
   * is made from the foreign commit, so that it comes in once, however many processes see it.
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

  return { refresh, head, covers };
}

/** The branch can be moved away from a commit whose history is lost in part, as the chain never knew of it. */
async function readingBack<T>(foreign: Oid, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'missing_object') throw error;
    const message = `The branch names commit ${foreign}, and objects of its history are not in the repository.`;
    throw new StorageError('ref_conflict', message, { ref: foreign }, { cause: error });
  }
}

function endIsLost(): StorageError {
  const message =
    'The last names of the order of the commits (pagetree/chain-*) are lost: the branch names a later commit of this wiki.';
  return new StorageError('corrupt_chain', message);
}

const READ_ONLY: ReadonlySet<StorageErrorCode> = new Set(['read_only', 'permission_denied']);
