import { parseCommit } from '../../formats/commit.ts';
import type { Oid } from '../../formats/oid.ts';
import type { CommitChain } from '../commits/chain.ts';
import type { ChainLink } from '../commits/chain-link.ts';
import { readIfThere } from '../commits/history.ts';
import type { ObjectReader } from '../storage.ts';
import { isLost } from '../storage-error.ts';
import type { BroughtIn } from './brought-in.ts';
import type { ExternalRefs } from './external-refs.ts';
import type { LinkedUpTo } from './linked-commits.ts';

/** Commits that the ref of a shared wiki names, and whose names the chain lost. */
export interface LostNames {
  /**
   * Takes in a commit that the ref of a shared wiki named. Only Pagetree moves that ref, and only after it linked the
   * commit, so the name of the commit is lost if the chain does not hold it. `lost`: the chain does not hold it, and
   * objects that are needed to take it in are lost, of its history or of the chain's.
   */
  takeBack(commit: Oid): Promise<'held' | 'taken' | 'lost'>;
  /**
   * Takes in the newest commits below one that was `lost`, while those of the chain are complete. Returns the ones that
   * could not be taken in, and whether others were.
   */
  takeRest(commit: Oid): Promise<{ lost: Oid[]; isTaken: boolean }>;
  /**
   * Has the requests remembered of commits that the ref alone names. What shows now that they were made here may go with
   * a pack that is merged or replaced.
   */
  rememberBeyond(commit: Oid): Promise<void>;
  /**
   * True if the ref of a shared wiki names a commit on top of the chain's that the chain does not hold: its last names
   * are lost, and the ref alone says what a repair is to take back.
   */
  lacks(commit: Oid): Promise<boolean>;
}

/** `changed`: another process has linked something meanwhile. */
export type Taken = 'held' | 'taken' | 'changed';

export interface LostNamesParts {
  chain: CommitChain;
  objects: ObjectReader;
  externalRefs: ExternalRefs;
  broughtIn: BroughtIn;
  linkedUpTo: LinkedUpTo;
  /** True if a commit that the chain does not hold came in at or before `end`. */
  hasComeIn(commit: Oid, end: ChainLink): Promise<boolean>;
  /** Takes a commit of native git in, on top of `end` or beside it. */
  take(end: ChainLink, commit: Oid): Promise<Taken>;
}

export function openLostNames(parts: LostNamesParts): LostNames {
  const { chain, objects, externalRefs, broughtIn, linkedUpTo, hasComeIn, take } = parts;

  async function takeBack(commit: Oid): Promise<'held' | 'taken' | 'lost'> {
    for (;;) {
      const end = await chain.refresh();
      // An empty chain begins with what the ref names.
      if (end === null || end.commit === commit) return 'held';
      const outcome = await takeIfLacking(end, commit);
      if (outcome !== 'changed') return outcome;
    }
  }

  async function takeIfLacking(end: ChainLink, foreign: Oid): Promise<Taken | 'lost'> {
    try {
      if (!(await lacks(foreign))) return 'held';
      await broughtIn.remember(foreign, end);
      return await take(end, foreign);
    } catch (error) {
      if (!isLost(error)) throw error;
      return 'lost';
    }
  }

  async function takeRest(commit: Oid): Promise<{ lost: Oid[]; isTaken: boolean }> {
    const lost: Oid[] = [];
    let isTaken = false;
    const line = new Set([commit]);
    for (const each of line) {
      const text = await readIfThere(objects, each);
      const outcome = text === null ? 'lost' : await takeBack(each);
      isTaken ||= outcome === 'taken';
      if (outcome !== 'lost') continue;
      lost.push(each);
      // Made before the merge that failed. Native git refuses a ref to a history with holes.
      await externalRefs.leave(each);
      for (const parent of text?.parents ?? []) line.add(parent);
    }
    return { lost, isTaken };
  }

  async function rememberBeyond(commit: Oid): Promise<void> {
    const end = await chain.refresh();
    try {
      if (end !== null && (await lacks(commit))) await broughtIn.remember(commit, end);
    } catch (error) {
      if (!isLost(error)) throw error;
    }
  }

  async function lacks(commit: Oid): Promise<boolean> {
    const end = await chain.refresh();
    if (end === null || (await linkedUpTo(end)(commit)) || !(await isCommit(commit))) return false;
    return !(await hasComeIn(commit, end)) && isOnTop(end, commit);
  }

  /** No push and no write is made on anything but the chain. The chain is met soon, except from another history. */
  async function isOnTop(end: ChainLink, commit: Oid): Promise<boolean> {
    const met = new Set([commit]);
    const isLinked = linkedUpTo(end);
    for (const each of met) {
      if (await isLinked(each)) return true;
      for (const parent of parseCommit((await objects.read(each)).content).parents) met.add(parent);
    }
    return false;
  }

  /** False for another object, and for one that is lost: the ref is damaged then. */
  async function isCommit(named: Oid): Promise<boolean> {
    try {
      return (await objects.read(named)).type === 'commit';
    } catch (error) {
      if (!isLost(error)) throw error;
      return false;
    }
  }

  return { takeBack, takeRest, rememberBeyond, lacks };
}
