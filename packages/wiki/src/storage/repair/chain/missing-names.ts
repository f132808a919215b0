import type { Oid } from '../../../formats/oid.ts';
import type { CommitChain } from '../../commits/chain.ts';
import type { ChainEnd, ChainLink } from '../../commits/chain-link.ts';
import type { Run, Slot } from '../../maintenance/run.ts';
import { StorageError } from '../../storage-error.ts';

/** The continuation of the chain from its current end. */
export class MendingPlan {
  end: ChainEnd;
  readonly named: Set<Oid>;
  readonly #missing: { after: Oid | null; commit: Oid; adopted: boolean }[] = [];
  readonly #from: Oid | null;
  readonly #before: number;

  constructor(links: readonly ChainLink[]) {
    this.end = links.at(-1) ?? null;
    this.named = new Set(links.map(({ commit }) => commit));
    this.#from = this.end?.commit ?? null;
    this.#before = links.length;
  }

  extend({ commits }: { commits: readonly { commit: Oid; adopted: boolean }[] }): void {
    for (const { commit, adopted } of commits) {
      const after = this.end?.commit ?? null;
      this.#missing.push({ after, commit, adopted });
      this.end = { parent: after, commit, adopted };
      this.named.add(commit);
    }
  }

  /** Goes on along existing names. */
  goOn(commits: readonly Oid[]): void {
    for (const commit of commits) {
      this.end = { parent: this.end?.commit ?? null, commit, adopted: false };
      this.named.add(commit);
    }
  }

  /** Keeps the names that are to be made in the run. */
  keepIn(run: Run): MissingNames {
    const missing = this.#missing;
    run.clear(
      MISSING,
      missing.map(({ commit }) => commit),
    );
    const isJump = (at: number) => at === 0 || missing[at]?.after !== missing[at - 1]?.commit;
    return {
      count: missing.length,
      left: missing.length,
      jumps: missing.flatMap(({ after }, at) => (isJump(at) ? [[at, after] as const] : [])),
      adopted: missing.flatMap(({ adopted }, at) => (adopted ? [at] : [])),
      from: this.#from,
      grown: this.named.size - this.#before,
      beforeEnd: this.end?.parent ?? null,
    };
  }
}

/** The names that a mending makes; their commits are in a list of the run. */
export interface MissingNames {
  count: number;
  /** The names from this position on were made. */
  left: number;
  /** A position in the list, and the commit after which its commit comes if that is not the one before it. */
  jumps: (readonly [number, Oid | null])[];
  /** The positions of the commits that native git brought. */
  adopted: number[];
  /** The end of the chain when it was decided. */
  from: Oid | null;
  /** The number of links from there to the end. */
  grown: number;
  /** The name of the last link. */
  beforeEnd: Oid | null;
}

export interface NameMakingParts {
  chain: CommitChain;
  /** Makes the wiki's own directories if they are lost. */
  prepare(): Promise<void>;
}

/**
 * Makes the last name of the order first: until all names exist, no reader reaches any of them. Only names that a
 * power cut cannot undo count as made. Throws OutOfTime.
 */
export async function makeNames(
  { chain, prepare }: NameMakingParts,
  run: Run,
  slot: Slot<MissingNames | null>,
): Promise<void> {
  const names = slot.value;
  await prepare();
  if (names === null) return;
  const [commits, adopted, jumps] = [run.list(MISSING), new Set(names.adopted), new Map(names.jumps)];
  const make = async (at: number) => {
    const after = jumps.has(at) ? (jumps.get(at) ?? null) : commits.at(at - 1);
    const end = after === null ? null : { parent: null, commit: after, adopted: false };
    return chain.append(end, commits.at(at) as Oid, adopted.has(at));
  };
  while (names.left > 0) {
    const from = Math.max(0, names.left - NAMES_AT_ONCE);
    for (let at = names.left - 1; at >= from; at -= 1) {
      if (await make(at)) continue;
      // The next call decides anew.
      slot.value = null;
      throw forked();
    }
    await chain.sync();
    const end = from === 0 ? await chain.linkAfter(names.beforeEnd) : null;
    if (end) await chain.restored(names.from, end, names.grown);
    names.left = from;
    await run.step();
  }
}

export function forked(): StorageError {
  const message =
    'The chain leads in two directions, as it was written beyond a gap. Restore the wiki from a clone.';
  return new StorageError('corrupt_chain', message);
}

const MISSING = 'missing names';
/** A name takes some milliseconds on a shared mount. */
const NAMES_AT_ONCE = 16;
