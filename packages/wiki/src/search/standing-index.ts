import { cancelled, throwIfCancelled } from '../contract/errors.ts';
import type { Oid } from '../contract/ids.ts';
import type { Call } from '../contract/wiki.ts';
import type { Repository } from '../core/ports.ts';
import type { Steps } from '../scheduling/in-turns.ts';
import { openSerialQueue } from '../scheduling/serial-queue.ts';
import { buildCopy } from './build-copy.ts';
import { asOf, catchUp, isReachable, type Turn } from './catch-up.ts';
import { createPacer, firstTurn, type Pacer, paced } from './pacer.ts';
import type { CopySource } from './sqlite/copy-source.ts';
import type { IndexDatabase } from './sqlite/index-database.ts';
import { knowsCommit, stateCommit } from './sqlite/index-state.ts';
import type { WorkingCopy } from './sqlite/working-copy.ts';
import { elsewhere, WaitingCallers } from './wait-for-index.ts';

/** One wiki's index in a working copy, brought to the commit that each query needs. */
export class StandingIndex {
  readonly #repository: Repository;
  readonly #source: CopySource;
  readonly #turn: Turn;
  readonly #inTurn = openSerialQueue();
  readonly #callers = new WaitingCallers();
  #copy: WorkingCopy | null = null;
  #stands: Oid | null = null;
  #isChanging = false;
  #defect: { error: unknown } | null = null;
  #isEnding = false;
  /** Aborts running work when the index is closed. */
  #closing = new AbortController();

  constructor(repository: Repository, source: CopySource, turn: Turn = asOf) {
    this.#repository = repository;
    this.#source = source;
    this.#turn = turn;
  }

  /** The result of `query` on the index as of `commit`. */
  async at<Answer>(commit: Oid, query: (database: IndexDatabase) => Answer): Promise<Answer> {
    const now = this.#now(() => this.#stands === commit, query);
    if (now !== null) return now.answer;
    return this.#inTurnAt(commit, (database) =>
      this.#turned(database, commit, createPacer(this.#closing.signal), () => query(database)),
    );
  }

  /**
   * The same for a long query, in steps. It begins at once, like any other. If one turn is not enough, the
   * rest runs in the serial queue, so that the index does not change meanwhile. `signal` ends the wait, as in `catchUp`.
   */
  async inSteps<Answer>(
    commit: Oid,
    query: (database: IndexDatabase) => Steps<Answer>,
    pacer: Pacer,
    signal?: AbortSignal,
  ): Promise<Answer> {
    const canAnswer = () => this.#stands === commit;
    const begun = this.#now(canAnswer, (database) => ({
      database,
      ...firstTurn(query(database), pacer),
    }))?.answer;
    if (begun?.step.done === true) return begun.step.value;
    return this.#inTurnFor(signal, commit, async (database) => {
      const { signal: closing } = this.#closing;
      if (closing.aborted) throw cancelled();
      const isBegun = begun?.database === database && this.#stands === commit;
      const steps = isBegun ? begun.steps : query(database);
      return this.#turned(database, commit, pacer, () => paced(steps, pacer, closing));
    });
  }

  /** The same if it needs no waiting, else the result of `otherwise`. */
  async atOnce<Answer>(
    commit: Oid,
    query: (database: IndexDatabase) => Answer,
    otherwise: () => Promise<Answer>,
  ): Promise<Answer> {
    const now = this.#now(() => this.#stands === commit, query);
    return now === null ? otherwise() : now.answer;
  }

  /** The same on an index that has `commit` and its ancestors, but whose pages may be newer; else null. */
  async knowingAtOnce<Answer>(
    commit: Oid,
    query: (database: IndexDatabase) => Answer,
  ): Promise<Answer | null> {
    return this.#now((database) => knowsCommit(database, commit), query)?.answer ?? null;
  }

  /** The result of `query` on an index that has `commit` and its ancestors, but whose pages may be newer. */
  async knowing<Answer>(commit: Oid, query: (database: IndexDatabase) => Answer): Promise<Answer> {
    const now = this.#now((database) => knowsCommit(database, commit), query);
    if (now !== null) return now.answer;
    return this.#inTurnAt(commit, async (database) => query(database));
  }

  /** The work goes on if `signal` ends the wait: its result serves all callers. */
  catchUp(commit: Oid, progress?: Call['progress'], signal?: AbortSignal): Promise<void> {
    return this.#callers.until(() => this.knowing(commit, () => {}), signal, progress);
  }

  /** The same with the pages as of `commit`. */
  async standAt(commit: Oid, progress?: Call['progress'], signal?: AbortSignal): Promise<void> {
    const stand = (database: IndexDatabase) =>
      this.#turned(database, commit, createPacer(this.#closing.signal), () => {});
    await this.#inTurnFor(signal, commit, stand, progress);
  }

  /** Saves a snapshot of the index at `commit` or later. The work goes on if `signal` ends the wait. */
  async save(commit: Oid, signal?: AbortSignal): Promise<boolean> {
    const saveInTurn = () =>
      this.#inTurn(async () => {
        if (this.#copy === null || this.#closing.signal.aborted) return false;
        return this.#source.save(this.#copy);
      });
    try {
      return await this.#callers.until(() => this.knowing(commit, () => {}).then(saveInTurn), signal);
    } catch (error) {
      // The snapshot may or may not exist by then.
      if (signal?.aborted) return false;
      throw error;
    }
  }

  /** Aborts running work, also for callers that wait for it. Saves what a build has done, and removes the copy. */
  close(): Promise<void> {
    this.#closing.abort();
    return this.#inTurn(async () => {
      this.#closing = new AbortController();
      await this.#release();
    });
  }

  /** The same at the end of the process, from which the next one gets the snapshot that is due. */
  end(): Promise<void> {
    this.#isEnding = true;
    return this.close();
  }

  /** Removes the working copy; the next query makes a new one. */
  release(): Promise<void> {
    return this.#inTurn(() => this.#release());
  }

  async #release(): Promise<void> {
    try {
      if (this.#copy !== null) await this.#source.keep(this.#copy, { isLast: true });
    } finally {
      await this.#discard();
    }
  }

  /** The same for one caller: if `signal` ended before its turn, it begins no work. */
  #inTurnFor<Answer>(
    signal: AbortSignal | undefined,
    commit: Oid,
    queryInTurn: (database: IndexDatabase) => Promise<Answer>,
    progress?: Call['progress'],
  ): Promise<Answer> {
    const begin = async (database: IndexDatabase) => {
      throwIfCancelled(signal);
      return queryInTurn(database);
    };
    return this.#callers.until(() => this.#inTurnAt(commit, begin), signal, progress);
  }

  #inTurnAt<Answer>(commit: Oid, queryInTurn: (database: IndexDatabase) => Promise<Answer>): Promise<Answer> {
    return this.#inTurn(async () => {
      const defect = this.#defect;
      this.#defect = null;
      if (defect !== null) throw defect.error;
      for (let attempt = 0; ; attempt += 1) {
        try {
          await this.#reach(commit, attempt);
          if (this.#copy !== null) return await queryInTurn(this.#copy.database);
        } catch (error) {
          if (!this.#source.isFailure(error) || attempt === lastAttempt) throw error;
          await this.#discard();
        }
      }
    });
  }

  #now<Answer>(
    canAnswer: (database: IndexDatabase) => boolean,
    query: (database: IndexDatabase) => Answer,
  ): { answer: Answer } | null {
    const database = this.#copy?.database;
    if (database === undefined || this.#isChanging) return null;
    try {
      return canAnswer(database) ? { answer: query(database) } : null;
    } catch (error) {
      if (!this.#source.isFailure(error)) throw error;
      return null; // In its turn the same query fails in the same way, and the index is rebuilt.
    }
  }

  /** Produces a copy that has `commit`. */
  async #reach(commit: Oid, attempt: number): Promise<void> {
    this.#copy ??= await this.#source.begin(attempt, this.#isReachable);
    this.#stands = stateCommit(this.#copy.database);
    if (knowsCommit(this.#copy.database, commit)) return;
    if (!(await this.#advance(this.#copy, commit))) await this.#followBranch(commit);
    const copy = this.#copy;
    const advanced = this.#inTurn(async () => {
      if (copy === this.#copy && (this.#isEnding || !this.#closing.signal.aborted))
        await this.#source.advanced(copy);
    });
    // No caller waits for this work: the next query reports the error.
    advanced.catch((error: unknown) => {
      this.#defect = { error };
    });
  }

  /**
   * Handles a commit that does not descend from the index's commit, or is too far from it: the branch was moved or
   * grew a lot, or the commit is not on it.
   */
  async #followBranch(commit: Oid): Promise<void> {
    const head = (await this.#repository.head()).commit ?? commit;
    let copy = this.#copy;
    while (copy === null || !(await this.#advance(copy, head))) {
      await this.#discard();
      // Each time another snapshot, and in the end none.
      copy = await this.#source.beginOnBranch(this.#isReachable);
      this.#copy = copy;
    }
    if (!knowsCommit(copy.database, commit)) throw elsewhere(commit);
  }

  async #turned<Answer>(
    database: IndexDatabase,
    commit: Oid,
    pacer: Pacer,
    query: () => Answer | Promise<Answer>,
  ): Promise<Answer> {
    if (this.#stands === commit) return query();
    const closing = this.#closing.signal;
    const work = { ...this.#source, pacer, progress: this.#callers.reportBuilding, closing };
    try {
      return await this.#changing(() => this.#turn(database, this.#repository, commit, work, query));
    } finally {
      this.#callers.endBuilding();
      this.#stands = stateCommit(database);
      // A turn that ended in its middle.
      if (this.#stands === null) await this.#discard();
      else if (this.#stands === commit && this.#copy !== null) await this.#source.advanced(this.#copy);
    }
  }

  /** Returns false if the commit cannot be reached from the copy's. */
  async #advance(copy: WorkingCopy, commit: Oid): Promise<boolean> {
    const { database } = copy;
    const pacer = createPacer(this.#closing.signal);
    const work = { ...this.#source, pacer, progress: this.#callers.report };
    const building = {
      repository: this.#repository,
      source: this.#source,
      callers: this.#callers,
      closing: this.#closing.signal,
    };
    const isThere = await this.#changing(async () => {
      const isBuilt =
        stateCommit(database) !== null || (await buildCopy(copy, commit, { ...building, pacer }));
      if (!isBuilt) return false;
      return knowsCommit(database, commit) || catchUp(database, this.#repository, commit, work);
    });
    this.#stands = stateCommit(database);
    return isThere;
  }

  readonly #isReachable = (commit: Oid) => isReachable(this.#repository, commit);

  async #changing<Result>(change: () => Promise<Result>): Promise<Result> {
    this.#isChanging = true;
    try {
      return await change();
    } finally {
      this.#isChanging = false;
    }
  }

  async #discard(): Promise<void> {
    const copy = this.#copy;
    this.#copy = null;
    this.#stands = null;
    await copy?.close();
  }
}

const lastAttempt = 2;
