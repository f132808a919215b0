import { type RoundParts, syncRound } from '@pagetree/sync/sync-round';
import type { Caller } from '@pagetree/wiki/contract';

/** The function as Lambda calls it. The event says nothing. */
export type Handler = (event: unknown, context: Context) => Promise<void>;

interface Context {
  getRemainingTimeInMillis(): number;
}

export type HandlerOptions = Omit<RoundParts, 'call' | 'signal' | 'leftMs' | 'unrecorded'>;

/** Syncs the wikis that are due, and ends before Lambda ends it: else the environment would be lost in the middle of a call. */
export function createHandler(options: HandlerOptions): Handler {
  const unrecorded: RoundParts['unrecorded'] = new Map();
  return async (_event, context) => {
    const leftMs = () => context.getRemainingTimeInMillis();
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), leftMs() - RESERVE_MS);
    const { signal } = stop;
    try {
      await syncRound({ ...options, unrecorded, call: { caller: CALLER, signal }, signal, leftMs });
    } finally {
      clearTimeout(timer);
    }
  };
}

/** The author of merges. */
const CALLER: Caller = { author: { name: 'Pagetree', email: '' }, agent: 'sync' };
const RESERVE_MS = 3_000;
