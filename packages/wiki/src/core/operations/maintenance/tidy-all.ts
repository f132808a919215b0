import { WikiError } from '../../../contract/errors.ts';
import type { Output } from '../../../contract/operations.ts';
import type { BegunWiki, Round } from '../../directory-port.ts';
import type { DirectorySession } from '../../session.ts';
import { failureIn, tidyingFailed } from './failed-wikis.ts';
import { afterTurn, describeRound, newRound, turnsLeft, withoutDeleted } from './round.ts';
import { tidy } from './tidy.ts';

type Report = Output<'maintain_wiki'>;

/**
 * Tidies all wikis one after the other, starting where the last call stopped: so several calls, or several
 * nights, reach the end of any number of them. With `onceANight`, a call ends with its round, and does
 * nothing for some hours after it.
 */
export async function tidyAll(
  session: DirectorySession,
  nothing: Report,
  onceANight: boolean,
): Promise<Report> {
  const { directory, call, now } = session;
  const names = await directory.names();
  let round = await roundToGoOn(session, names, onceANight);
  if (round.endedMs !== null) return { ...nothing, round: describeRound(round, names) };

  const failures: WikiError[] = [];
  const isCareful = round.begun !== null;
  const left = turnsLeft(round, names);
  const ofNextRound = onceANight ? [] : turnsBefore(round, names);
  let total = nothing;
  let keptMs = now();
  for (const [at, name] of [...left, ...ofNextRound].entries()) {
    if (call.signal?.aborted || (at < left.length && round.endedMs !== null)) {
      total = { ...total, unfinished: [...total.unfinished, name] };
      continue;
    }
    if (round.endedMs !== null) round = newRound(now(), round);
    // The first mark records that a call is under way. After a call that did not come back, each wiki is
    // recorded.
    if (at === 0 || isCareful) {
      round = { ...round, begun: begunAgain(round.begun, name, now()) };
      await directory.keepRound(round);
    }
    // A damaged wiki must not keep the others from being tidied, and is reported below.
    const tidied = await tidyUnlessStopped(session, name, round.begun).catch((error: unknown) => {
      failures.push(failureIn(name, error));
      return null;
    });
    if (tidied !== null) total = sumOf(total, tidied.report);
    round = afterTurn(round, { name, tidied, isWholeCall: at === 0, names, nowMs: now() });
    if (now() - keptMs < KEEP_EVERY_MS) continue;
    await directory.keepRound(round);
    keptMs = now();
  }
  round = { ...round, begun: null };
  await directory.keepRound(round);
  // Also those to wikis that were never made.
  await directory.removeOldUploads();
  const described = describeRound(round, names);
  const [failure, ...others] = failures;
  if (failure !== undefined) throw tidyingFailed([failure, ...others], described);
  const unfinished = [...new Set(total.unfinished)];
  return { ...total, unfinished, finished: unfinished.length === 0, round: described };
}

async function tidyUnlessStopped(session: DirectorySession, name: string, begun: BegunWiki | null) {
  if (begun !== null && stopsAll(begun, name, session.now())) throw neverCameBack(begun);
  return tidy(session, name);
}

function begunAgain(begun: BegunWiki | null, name: string, nowMs: number): BegunWiki {
  return begun?.name === name ? { ...begun, calls: begun.calls + 1 } : { name, sinceMs: nowMs, calls: 1 };
}

/** True if no call that began this wiki came back, and none but this one can still be running. */
function stopsAll({ name, sinceMs, calls }: BegunWiki, next: string, nowMs: number): boolean {
  return name === next && calls > CALLS_GIVEN && nowMs - sinceMs > LONGEST_CALL_MS;
}

function neverCameBack({ sinceMs, calls }: BegunWiki): WikiError {
  return new WikiError('internal', {
    happened: `Tidying it ended or stopped ${calls - 1} calls since ${new Date(sinceMs).toISOString()}.`,
    now: 'It was left out this time, so that the others are tidied. Nothing was changed in it.',
    next: 'Call maintain_wiki with mode check for it alone, and look in the log for how those calls ended.',
  });
}

/** The round to continue; a round that has ended if it is too early for the next one. */
async function roundToGoOn(
  { directory, now }: DirectorySession,
  names: readonly string[],
  onceANight: boolean,
): Promise<Round> {
  const kept = await directory.readRound();
  if (kept === null) return newRound(now(), null);
  const round = withoutDeleted(kept, names);
  if (round.endedMs === null && turnsLeft(round, names).length > 0) return round;
  if (round.endedMs !== null && onceANight && now() - round.endedMs < PAUSE_MS) return round;
  return newRound(now(), round);
}

/** The wikis that had a turn in this round: those with which the next round begins. */
function turnsBefore({ after }: Round, names: readonly string[]): string[] {
  return names.filter((name) => after !== null && name <= after);
}

function sumOf(one: Report, other: Report): Report {
  const deleted = { ...one.deleted };
  for (const [what, count] of Object.entries(other.deleted)) deleted[what] = (deleted[what] ?? 0) + count;
  return {
    ...one,
    packs_before: (one.packs_before ?? 0) + (other.packs_before ?? 0),
    packs: (one.packs ?? 0) + (other.packs ?? 0),
    deleted,
    index_saved: one.index_saved || other.index_saved,
    unfinished: [...one.unfinished, ...other.unfinished],
  };
}

/** Longer than the calls of one night take, shorter than a day. */
const PAUSE_MS = 12 * 60 * 60 * 1000;
const KEEP_EVERY_MS = 2_000;
/** The number of calls that a wiki may end before it is skipped: a process may die for other reasons too. */
const CALLS_GIVEN = 3;
/** Longer than Lambda lets a call run. */
const LONGEST_CALL_MS = 16 * 60 * 1000;
