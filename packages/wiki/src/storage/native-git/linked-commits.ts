import type { Oid } from '../../formats/oid.ts';
import type { CommitChain } from '../commits/chain.ts';
import type { ChainLink } from '../commits/chain-link.ts';

/**
 * Asks whether a commit is `end`, or one from which the chain leads there. A name alone proves nothing: beyond a gap,
 * which a copy left or an unfinished repair, there are names of lost commits. To ask for many commits, keep the function:
 * it remembers what is beyond.
 */
export type LinkedUpTo = (end: ChainLink) => (commit: Oid) => Promise<boolean>;

export function openLinkedCommits(chain: CommitChain): LinkedUpTo {
  /** Commits before the end of the chain: they stay there, as names never change. */
  const inChain = new Set<Oid>();

  return (end) => {
    const beyond = new Set<Oid>();
    return async (commit) => {
      if (commit === end.commit) return true;
      const passed = new Set<Oid>();
      let at: Oid | null = commit;
      while (at !== null && at !== end.commit && !inChain.has(at) && !beyond.has(at) && !passed.has(at)) {
        passed.add(at);
        at = await chain.successor(at);
      }
      const leadsThere = at !== null && (at === end.commit || inChain.has(at));
      if (inChain.size > MAX_IN_CHAIN) inChain.clear();
      for (const each of passed) (leadsThere ? inChain : beyond).add(each);
      return leadsThere;
    };
  };
}

/** Some megabytes. */
const MAX_IN_CHAIN = 20_000;
