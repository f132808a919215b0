import { type Call, callOperation, type Output, type Wiki } from '@pagetree/wiki/contract';
import { describeFailure, describeReport } from './describe-sync.ts';
import { keepInSync } from './keep-in-sync.ts';
import { openRemote, type RemoteSurroundings } from './open-remote.ts';
import { pause } from './pause.ts';
import { Syncing } from './syncing.ts';

export interface SyncWikisParts extends RemoteSurroundings {
  wiki: Wiki;
  call: Call;
  /** The wait between two looks at a wiki that has a remote. */
  lookEveryMs: number;
  /** Ends it after what is under way. */
  signal: AbortSignal;
  /** Milliseconds since 1970. */
  now(): number;
  /** Between 0 and 1. */
  random(): number;
  /** Logs a sentence. */
  log(sentence: string): void;
}

/** Keeps each wiki that has a remote in sync with it, until the signal comes. Never throws: failures are logged. */
export async function syncWikis(parts: SyncWikisParts): Promise<void> {
  const { signal, log } = parts;
  const running = new Map<string, Promise<void>>();
  while (!signal.aborted) {
    try {
      const { wikis } = (await callOperation(
        parts.wiki,
        'list_wikis',
        {},
        parts.call,
      )) as Output<'list_wikis'>;
      for (const name of wikis) if (!running.has(name)) running.set(name, syncWiki(parts, name));
    } catch (error) {
      if (!signal.aborted) log(`sync: ${describeFailure(error).words}`);
    }
    await pause(NAMES_EVERY_MS, signal);
  }
  await Promise.all(running.values());
}

function syncWiki(parts: SyncWikisParts, name: string): Promise<void> {
  const { log } = parts;
  const open: ConstructorParameters<typeof Syncing>[0]['open'] = (settings) => openRemote(settings, parts);
  return keepInSync({
    ...parts,
    syncing: new Syncing({ ...parts, name, open }),
    changed: (report) => log(describeReport(name, report)),
    failed: (error) => log(`sync of ${name}: ${describeFailure(error).words}`),
  });
}

/** Wikis are made rarely. */
const NAMES_EVERY_MS = 30_000;
