import { WikiError } from '../contract/errors.ts';

/** Ends long work whose caller has gone, before anything of it is committed. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  throw new WikiError('busy', {
    happened: 'The call was cancelled, or its time ran out.',
    now: 'Nothing was changed.',
    next: 'Call again if it is still wanted.',
  });
}
