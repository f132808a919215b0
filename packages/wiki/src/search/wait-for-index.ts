import { cancelled, throwIfCancelled, WikiError } from '../contract/errors.ts';
import type { Oid } from '../contract/ids.ts';
import type { Call } from '../contract/wiki.ts';

type Progress = NonNullable<Call['progress']>;

/** The callers that wait for the work of one index, and how far that work is. */
export class WaitingCallers {
  readonly #listeners = new Set<Progress>();
  #building: BuildProgress | null = null;

  readonly report: Progress = (...reported) => {
    for (const listener of this.#listeners) listener(...reported);
  };

  /** The same for work that goes on when its caller has gone: an error says how far it is. */
  readonly reportBuilding: Progress = (done, total, message) => {
    this.#building = { done, total };
    if (done > 0) this.report(done, total, message);
  };

  endBuilding(): void {
    this.#building = null;
  }

  /**
   * The result of `work`, unless `signal` ends the wait first: then the error says how far the build is, if there is
   * one. Meanwhile `progress` gets the reports.
   */
  async until<Result>(
    work: () => Promise<Result>,
    signal?: AbortSignal,
    progress?: Call['progress'],
  ): Promise<Result> {
    if (progress) this.#listeners.add(progress);
    try {
      return await this.#race(work, signal);
    } finally {
      if (progress) this.#listeners.delete(progress);
    }
  }

  async #race<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    if (signal === undefined) return work();
    throwIfCancelled(signal);
    const ended = Promise.withResolvers<never>();
    const end = () => ended.reject(this.#building === null ? cancelled() : stillBuilding(this.#building));
    signal.addEventListener('abort', end, { once: true });
    try {
      return await Promise.race([work(), ended.promise]);
    } finally {
      signal.removeEventListener('abort', end);
    }
  }
}

/** How far a build is. `total` is 0 if it is unknown. */
interface BuildProgress {
  done: number;
  total: number;
}

function stillBuilding({ done, total }: BuildProgress): WikiError {
  const share = total === 0 ? 'its history is being read' : `${percent(done, total)} % of it is done`;
  return new WikiError(
    'busy',
    {
      happened: `The search index of this wiki is being built: ${share}.`,
      now: 'Nothing was changed. Pages can be read meanwhile.',
      next: 'Repeat the call until it gets an answer: each call goes on from what is done.',
      atTerminal: 'Run the command again: it goes on from what is done.',
    },
    { retry_after_ms: RETRY_AFTER_MS },
  );
}

function percent(done: number, total: number): number {
  return Math.min(99, Math.floor((100 * done) / total));
}

const RETRY_AFTER_MS = 1_000;

/** The error of a query as of a commit that no index of the branch has. */
export function elsewhere(commit: Oid): WikiError {
  return new WikiError(
    'not_found',
    {
      happened: `The commit ${commit} is not in the history of this wiki.`,
      now: 'Nothing was changed.',
      next: 'Ask again without a cursor, or with `at` from get_history.',
    },
    { commit },
  );
}
