import { cancelled, throwIfCancelled, WikiError } from '../contract/errors.ts';
import type { Oid } from '../contract/ids.ts';

/** How far a build is. `total` is 0 if it is unknown. */
export interface BuildProgress {
  done: number;
  total: number;
}

/** The result of `work`, unless `signal` ends the wait first: then the error says how far the build is, if there is one. */
export async function until<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal | undefined,
  building: () => BuildProgress | null,
): Promise<Result> {
  if (signal === undefined) return work();
  throwIfCancelled(signal);
  const ended = Promise.withResolvers<never>();
  const end = () => {
    const progress = building();
    ended.reject(progress === null ? cancelled() : stillBuilding(progress));
  };
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([work(), ended.promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
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
      next: 'Ask again without a cursor.',
    },
    { commit },
  );
}
