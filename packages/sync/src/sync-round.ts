import {
  type Call,
  callOperation,
  type Output,
  type RemoteSettings,
  type Wiki,
} from '@pagetree/wiki/contract';
import { describeFailure, describeReport } from './describe-sync.ts';
import { mayBeDue, syncIfDue } from './sync-if-due.ts';
import { type OpenedRemote, Syncing, type Unrecorded } from './syncing.ts';

export interface RoundParts {
  wiki: Wiki;
  call: Call;
  /** The reports that wikis did not take in earlier rounds. */
  unrecorded: Unrecorded;
  /** The most bytes of a pack that is to be pushed. */
  maxPushBytes?: number;
  open(settings: RemoteSettings, wiki: string): OpenedRemote;
  /** Ends the round: what is under way is given up. */
  signal: AbortSignal;
  /** The time that this round still has. */
  leftMs(): number;
  /** Milliseconds since 1970. */
  now(): number;
  /** Between 0 and 1. */
  random(): number;
  /** Logs a sentence. */
  log(sentence: string): void;
}

/**
 * Looks at all wikis once, and syncs those that are due: for a program that is started again and again. Throws if it
 * cannot ask which remotes there are; the failure of one wiki is logged. A remote that is slow holds up no other wiki
 * for longer than an attempt may take.
 */
export async function syncRound(parts: RoundParts): Promise<void> {
  const { random, leftMs, signal, log } = parts;
  // In another order each time: a round that ends early would else never come to the last ones.
  const waiting = (await remotes(parts))
    .map((listed) => ({ listed, place: random() }))
    .sort((one, other) => one.place - other.place);
  const work = async () => {
    while (!signal.aborted && leftMs() > MIN_LEFT_MS) {
      const next = waiting.pop();
      if (next === undefined) return;
      await syncWiki(parts, next.listed);
    }
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, work));
  if (waiting.length > 0) log(`sync: the time is over. The next round begins with others than this one.`);
}

type Listed = Output<'list_remotes'>['remotes'][number];

/** One call for hundreds of wikis: most have no remote, and most others nothing to do. */
async function remotes({ wiki, call }: RoundParts): Promise<Listed[]> {
  const listed: Listed[] = [];
  let cursor: string | undefined;
  do {
    const input = cursor === undefined ? {} : { cursor };
    const part = (await callOperation(wiki, 'list_remotes', input, call)) as Output<'list_remotes'>;
    listed.push(...part.remotes);
    cursor = part.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return listed;
}

async function syncWiki(parts: RoundParts, listed: Listed): Promise<void> {
  const { open, leftMs, signal, log } = parts;
  const { wiki: name, remote: settings, report, has_news: isChanged, problem } = listed;
  if (settings === null) return log(`sync of ${name}: ${problem}`);
  const maxPushBytes = parts.maxPushBytes ?? MAX_PUSH_BYTES;
  const syncing = new Syncing({ ...parts, maxPushBytes, name, open: (settings) => open(settings, name) });
  try {
    const listedThen = { settings, report: syncing.latest(settings, report) };
    if (!mayBeDue(parts, listedThen, isChanged)) return;
    // Its owner may have changed or removed it since.
    const found = await syncing.remote();
    if (found === null) return;
    const deadlineMs = Math.min(MAX_ATTEMPT_MS, leftMs() - MIN_LEFT_MS / 2);
    const made = await syncIfDue({ ...parts, syncing, deadlineMs }, found);
    if (made !== null) log(describeReport(name, made));
  } catch (error) {
    log(`sync of ${name}: ${signal.aborted ? 'the time is over.' : describeFailure(error).words}`);
  }
}

/** Wikis whose packs are in memory at once. */
const MAX_AT_ONCE = 4;
/** As many as a remote may send. More would end the function, with the syncs of other wikis, each minute again. */
const MAX_PUSH_BYTES = 100_000_000;
const MAX_ATTEMPT_MS = 240_000;
/** Enough to end an attempt, and to record how it went. */
const MIN_LEFT_MS = 20_000;
