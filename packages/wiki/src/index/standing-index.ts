import { cancelled, WikiError } from '../contract/errors.ts';
import type { Oid } from '../contract/ids.ts';
import type { Call } from '../contract/wiki.ts';
import type { Repository } from '../core/ports.ts';
import { asOf, catchUp } from './catch-up.ts';
import type { IndexDatabase } from './index-database.ts';
import { knowsCommit, stateCommit } from './index-state.ts';
import { createPacer } from './pacer.ts';
import { Turns } from './turns.ts';
import type { WorkingCopy } from './working-copy.ts';

/** Where a working copy comes from, and what else is done with it. */
export interface CopySource {
  /** From a snapshot if there is one; empty where `attempt` says that an index failed before. */
  begin(attempt: number): Promise<WorkingCopy>;
  beginEmpty(): Promise<WorkingCopy>;
  /** Told when the copy stands at a newer commit; it does not change until this is done. Never throws. */
  advanced(copy: WorkingCopy): Promise<void>;
  /** Makes a snapshot of the copy, unless there is one of its commit. False where it cannot. */
  save(copy: WorkingCopy): Promise<boolean>;
  /** Whether SQLite itself failed, so that an index made anew may do better. */
  isFailure(error: unknown): boolean;
}

/** One wiki's index in a working copy, brought to where each query needs it. */
export class StandingIndex {
  readonly #repository: Repository;
  readonly #source: CopySource;
  readonly #turns = new Turns();
  readonly #listeners = new Set<NonNullable<Call['progress']>>();
  #copy: WorkingCopy | null = null;
  #stands: Oid | null = null;
  #isChanging = false;

  constructor(repository: Repository, source: CopySource) {
    this.#repository = repository;
    this.#source = source;
  }

  /** What `query` finds in the index as of `commit`. */
  at<Answer>(commit: Oid, query: (database: IndexDatabase) => Answer): Promise<Answer> {
    const canAnswer = () => this.#stands === commit;
    return this.#answer(commit, canAnswer, query, async (database) => {
      if (this.#stands === commit) return query(database);
      return this.#changing(() =>
        asOf(database, this.#repository, commit, createPacer(), () => query(database)),
      );
    });
  }

  /** The same if it can be told without waiting for anything, else what `otherwise` finds. */
  async atOnce<Answer>(
    commit: Oid,
    query: (database: IndexDatabase) => Answer,
    otherwise: () => Promise<Answer>,
  ): Promise<Answer> {
    const now = this.#now(() => this.#stands === commit, query);
    return now === null ? otherwise() : now.answer;
  }

  /** What `query` finds in an index that knows `commit` and its ancestors, but whose pages may be newer. */
  knowing<Answer>(commit: Oid, query: (database: IndexDatabase) => Answer): Promise<Answer> {
    const canAnswer = (database: IndexDatabase) => knowsCommit(database, commit);
    return this.#answer(commit, canAnswer, query, async (database) => query(database));
  }

  /** Work goes on when `signal` ends the waiting for it: what it makes serves everyone. */
  async catchUp(commit: Oid, progress?: Call['progress'], signal?: AbortSignal): Promise<void> {
    if (progress) this.#listeners.add(progress);
    try {
      await until(() => this.knowing(commit, () => {}), signal);
    } finally {
      if (progress) this.#listeners.delete(progress);
    }
  }

  /** Leaves a snapshot of the index as it stands at `commit` or later. Work goes on when `signal` ends the waiting. */
  async save(commit: Oid, signal?: AbortSignal): Promise<boolean> {
    try {
      return await until(() => this.#save(commit), signal);
    } catch (error) {
      // By then it may be there or not.
      if (signal?.aborted) return false;
      throw error;
    }
  }

  async #save(commit: Oid): Promise<boolean> {
    await this.knowing(commit, () => {});
    return this.#turns.take(async () => this.#copy !== null && (await this.#source.save(this.#copy)));
  }

  /** Gives up the working copy; the next query begins a new one. */
  release(): Promise<void> {
    return this.#turns.take(() => this.#discard());
  }

  async #answer<Answer>(
    commit: Oid,
    canAnswer: (database: IndexDatabase) => boolean,
    query: (database: IndexDatabase) => Answer,
    queryInTurn: (database: IndexDatabase) => Promise<Answer>,
  ): Promise<Answer> {
    const now = this.#now(canAnswer, query);
    if (now !== null) return now.answer;
    return this.#turns.take(async () => {
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
      return null; // In its turn the same query meets the same failure, and the index is made anew.
    }
  }

  /** Leaves a copy that knows `commit`. */
  async #reach(commit: Oid, attempt: number): Promise<void> {
    this.#copy ??= await this.#source.begin(attempt);
    this.#stands = stateCommit(this.#copy.database);
    if (knowsCommit(this.#copy.database, commit)) return;
    if (!(await this.#advance(this.#copy, commit))) await this.#followBranch(commit);
    const copy = this.#copy;
    void this.#turns.take(async () => {
      if (copy === this.#copy) await this.#source.advanced(copy);
    });
  }

  /** For a commit that does not descend from where the index stands: either the branch went elsewhere, or it is none of it. */
  async #followBranch(commit: Oid): Promise<void> {
    const head = (await this.#repository.head()).commit ?? commit;
    if (this.#copy === null || !(await this.#knowsOrReaches(this.#copy, head))) {
      await this.#discard();
      this.#copy = await this.#source.beginEmpty();
      await this.#advance(this.#copy, head);
    }
    if (!knowsCommit(this.#copy.database, commit)) throw elsewhere(commit);
  }

  async #knowsOrReaches(copy: WorkingCopy, commit: Oid): Promise<boolean> {
    return knowsCommit(copy.database, commit) || this.#advance(copy, commit);
  }

  async #advance({ database }: WorkingCopy, commit: Oid): Promise<boolean> {
    const progress: Call['progress'] = (...told) => {
      for (const listener of this.#listeners) listener(...told);
    };
    const isThere = await this.#changing(() =>
      catchUp(database, this.#repository, commit, { pacer: createPacer(), progress }),
    );
    this.#stands = stateCommit(database);
    return isThere;
  }

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

function elsewhere(commit: Oid): WikiError {
  return new WikiError(
    'not_found',
    {
      happened: `The commit ${commit} is not in the history of this wiki.`,
      now: 'Nothing was changed.',
      next: 'Ask again without a cursor.',
    },
    { commit },
  );
}

async function until<Result>(work: () => Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return work();
  if (signal.aborted) throw cancelled();
  const ended = Promise.withResolvers<never>();
  const end = () => ended.reject(cancelled());
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([work(), ended.promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
