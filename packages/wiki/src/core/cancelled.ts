import { cancelled } from '../contract/errors.ts';

/** Ends long work whose caller has gone, before anything of it is committed. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancelled();
}
