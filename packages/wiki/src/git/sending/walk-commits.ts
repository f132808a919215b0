import { throwIfCancelled } from '../../contract/errors.ts';
import type { Commit } from '../../formats/commit.ts';
import type { Oid } from '../../formats/oid.ts';
import { CommitQueue } from '../history/commit-queue.ts';
import type { Objects } from '../objects.ts';

/** A commit that a client gets. */
export interface SentCommit {
  oid: Oid;
  commit: Commit;
  /** Those of its parents whose files the client gets as well, or has. */
  parents: readonly Oid[];
}

export interface CommitWalk {
  /** Newest first by committer date. */
  sent: SentCommit[];
  /** True for a commit that the client has, as far as the walk came upon it. */
  isHad(commit: Oid): boolean;
  /** True if the walk came to the beginning of a history, which the client need not lack if it names more commits. */
  reachedRoot: boolean;
}

export interface CommitWalkOptions {
  objects: Objects;
  wants: readonly Oid[];
  haves: readonly Oid[];
  /** Commits whose parents the client lacks, although it has them. */
  shallow: ReadonlySet<Oid>;
  /** True if the client does not get the parents of a commit. */
  isCut(commit: Oid): boolean;
  signal: AbortSignal | undefined;
}

/**
 * The commits that `wants` reach and `haves` do not, by committer date as git does it. If clocks went back, there may be
 * some that the client has, which does no harm.
 */
export async function walkCommits(options: CommitWalkOptions): Promise<CommitWalk> {
  const walk = new Walk(options.objects);
  const { wants, haves, shallow, isCut, signal } = options;
  for (const oid of haves) await walk.paint(oid, HAD);
  for (const oid of wants) await walk.paint(oid, WANTED);
  const taken = new Map<Oid, Commit>();
  for (let next = walk.take(); next !== null; next = walk.take()) {
    throwIfCancelled(signal);
    const { oid, commit } = next;
    const isHad = walk.isHad(oid);
    if (!isHad) taken.set(oid, commit);
    const ends = isHad ? shallow.has(oid) : isCut(oid);
    if (!ends) for (const parent of commit.parents) await walk.paint(parent, isHad ? HAD : WANTED);
  }
  // Dates may be wrong: some were found to be the client's after they were taken.
  const sent = [...taken].filter(([oid]) => !walk.isHad(oid));
  const isThere = (oid: Oid) => walk.isHad(oid) || taken.has(oid);
  return {
    sent: sent.map(([oid, commit]) => ({
      oid,
      commit,
      parents: isCut(oid) ? commit.parents.filter(walk.isHad) : commit.parents.filter(isThere),
    })),
    isHad: walk.isHad,
    reachedRoot: sent.some(([, { parents }]) => parents.length === 0),
  };
}

const WANTED = 1;
const HAD = 2;

class Walk {
  readonly #objects: Objects;
  readonly #marks = new Map<Oid, number>();
  readonly #queue = new CommitQueue();
  /** In the queue, and not known to be the client's. */
  readonly #open = new Set<Oid>();
  /** The oldest date of those that were taken and not known to be the client's. */
  #oldest = Number.POSITIVE_INFINITY;

  constructor(objects: Objects) {
    this.#objects = objects;
  }

  readonly isHad = (oid: Oid): boolean => ((this.#marks.get(oid) ?? 0) & HAD) !== 0;

  async paint(oid: Oid, mark: number): Promise<void> {
    const before = this.#marks.get(oid) ?? 0;
    if ((before & mark) !== 0 || (before & HAD) !== 0) return;
    this.#marks.set(oid, before | mark);
    if (mark === HAD) this.#open.delete(oid);
    else this.#open.add(oid);
    this.#queue.add(oid, await this.#objects.commit(oid));
  }

  /** Null at the end. What the client has may still lead to what was taken, as commits of one second do. */
  take() {
    const { date } = this.#queue;
    if (date === null || (this.#open.size === 0 && date < this.#oldest)) return null;
    const next = this.#queue.take();
    if (next === null) return null;
    this.#open.delete(next.oid);
    if (!this.isHad(next.oid)) this.#oldest = Math.min(this.#oldest, next.commit.committer.seconds);
    return next;
  }
}
