import type { Oid } from '../../../formats/oid.ts';
import { inBatches } from '../../../scheduling/in-batches.ts';
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
 * Makes all names in one go, and the first of them last: until it exists, no reader reaches the others. No call ends
 * in between: a writer that goes on after the gap meanwhile would part the chain. Only names that a power cut cannot
 * undo count as made.
 */
export async function makeNames(
  { chain, prepare }: NameMakingParts,
  run: Run,
  slot: Slot<MissingNames | null>,
): Promise<void> {
  const names = slot.value;
  await prepare();
  if (names === null || names.count === 0) return;
  const [commits, adopted, jumps] = [run.list(MISSING), new Set(names.adopted), new Map(names.jumps)];
  const make = async (at: number) => {
    const after = jumps.has(at) ? (jumps.get(at) ?? null) : commits.at(at - 1);
    const end = after === null ? null : { parent: null, commit: after, adopted: false };
    if (await chain.append(end, commits.at(at) as Oid, adopted.has(at))) return;
    // The next call decides anew.
    slot.value = null;
    throw forked();
  };
  await inBatches(
    Array.from({ length: names.count - 1 }, (_, place) => names.count - 1 - place),
    make,
  );
  await chain.sync();
  await make(0);
  await chain.sync();
  const end = await chain.linkAfter(names.beforeEnd);
  if (end) await chain.restored(names.from, end, names.grown);
}

export function forked(): StorageError {
  const message =
    'The chain leads in two directions, as it was written beyond a gap. Restore the wiki from a clone.';
  return new StorageError('corrupt_chain', message);
}

const MISSING = 'missing names';
