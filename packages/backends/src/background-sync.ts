import type { Author } from '@pagetree/wiki/contract';
import type { Backend } from './backend.ts';
import { readTokenFile } from './token-file.ts';

export interface BackgroundSyncParts {
  /** The author of merges. */
  author: Author;
  env: Readonly<Record<string, string | undefined>>;
  version: string;
  log(sentence: string): void;
}

export interface BackgroundSync {
  /** Ends it. What is under way is given up: the next process goes on. */
  end(): Promise<void>;
}

/**
 * Keeps the wikis of this machine in sync with their remotes while a server runs. Wikis on AWS are synced there. Begins
 * after a moment, since the first calls of a client come first.
 */
export function syncInBackground(backend: Backend, parts: BackgroundSyncParts): BackgroundSync {
  const stop = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const timer = setTimeout(() => {
    running = run(backend, parts, stop.signal);
  }, BEGIN_MS);
  return {
    async end() {
      clearTimeout(timer);
      stop.abort();
      await running;
    },
  };
}

async function run(
  { wiki, isRemote }: Backend,
  { author, env, version, log }: BackgroundSyncParts,
  signal: AbortSignal,
): Promise<void> {
  if (isRemote) return;
  // Loaded late: few wikis have a remote.
  const { syncWikis } = await import('@pagetree/sync/sync-wikis');
  await syncWikis({
    ...{ wiki, env, log, signal, lookEveryMs: LOOK_EVERY_MS, now: Date.now, random: Math.random },
    call: { caller: { author, agent: null }, signal },
    agentName: `pagetree/${version}`,
    readFile: readTokenFile,
  });
}

const BEGIN_MS = 1_000;
const LOOK_EVERY_MS = 250;
