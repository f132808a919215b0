import { toWikiError, WikiError } from '../../../contract/errors.ts';
import type { Output } from '../../../contract/operations.ts';
import type { BegunWiki, Round } from '../../ports.ts';
import type { DirectorySession } from '../../session.ts';
import { type Tidied, tidy } from './tidy.ts';

type Report = Output<'maintain_wiki'>;

/**
 * Tidies all wikis one after the other, starting where the last call stopped: so several calls, or several
 * nights, reach the end of any number of them. With `onceANight`, a call does nothing for some hours after a
 * round ended.
 */
export async function tidyAll(
  session: DirectorySession,
  nothing: Report,
  onceANight: boolean,
): Promise<Report> {
  const { directory, call, now } = session;
  const names = await directory.names();
  let round = await roundToGoOn(session, onceANight);
  if (round.endedMs !== null) return { ...nothing, round: describeRound(round, names) };

  const failures: unknown[] = [];
  const isCareful = round.begun !== null;
  let total = nothing;
  let keptMs = now();
  for (const [at, name] of startingAfter(round.after, names).entries()) {
    if (call.signal?.aborted || (onceANight && round.endedMs !== null)) {
      total = { ...total, unfinished: [...total.unfinished, name] };
      continue;
    }
    if (round.endedMs !== null) round = newRound(now());
    // The first mark records that a call is under way. After a call that did not come back, each wiki is
    // recorded.
    if (at === 0 || isCareful) {
      round = { ...round, begun: begunAgain(round.begun, name, now()) };
      await directory.keepRound(round);
    }
    // A damaged wiki must not keep the others from being tidied, and is reported below.
    const tidied = await tidyUnlessStopped(session, name, round.begun).catch((error: unknown) => {
      failures.push(namingWiki(error, name));
      return null;
    });
    if (tidied !== null) total = sumOf(total, tidied.report);
    // A wiki that takes more than a whole call blocks no other: it goes on in the next round.
    const comesAgain = tidied !== null && tidied.report.unfinished.length > 0 && at > 0;
    if (!comesAgain) round = afterWiki(round, tidied, { name, isLast: name === names.at(-1), nowMs: now() });
    if (now() - keptMs < KEEP_EVERY_MS) continue;
    await directory.keepRound(round);
    keptMs = now();
  }
  round = { ...round, begun: null };
  await directory.keepRound(round);
  const described = describeRound(round, names);
  if (failures.length > 0) throw withRound(failures[0], described);
  return { ...total, finished: total.unfinished.length === 0, round: described };
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

/** All names, starting with the one after the last that was tidied. */
function startingAfter(last: string | null, names: readonly string[]): string[] {
  const begin = last === null ? 0 : names.findIndex((name) => name > last);
  const first = begin === -1 ? 0 : begin;
  return [...names.slice(first), ...names.slice(0, first)];
}

/** The round to continue; a round that has ended if it is too early for the next one. */
async function roundToGoOn({ directory, now }: DirectorySession, onceANight: boolean): Promise<Round> {
  const round = await directory.readRound();
  if (round === null) return newRound(now());
  if (round.endedMs === null || (onceANight && now() - round.endedMs < PAUSE_MS)) return round;
  return newRound(now());
}

function newRound(beganMs: number): Round {
  return {
    beganMs,
    endedMs: null,
    after: null,
    done: 0,
    failures: 0,
    debtPacks: 0,
    debtBytes: 0,
    begun: null,
  };
}

function afterWiki(
  round: Round,
  tidied: Tidied | null,
  { name, isLast, nowMs }: { name: string; isLast: boolean; nowMs: number },
): Round {
  return {
    ...round,
    endedMs: isLast ? nowMs : null,
    after: name,
    done: round.done + 1,
    failures: round.failures + (tidied === null ? 1 : 0),
    debtPacks: round.debtPacks + (tidied?.debtPacks ?? 0),
    debtBytes: round.debtBytes + (tidied?.debtBytes ?? 0),
  };
}

function describeRound(round: Round, names: readonly string[]): NonNullable<Report['round']> {
  const { endedMs, after, done, failures, debtPacks, debtBytes } = round;
  const left = endedMs === null ? names.filter((name) => after === null || name > after).length : 0;
  return {
    wikis_done: done,
    wikis_left: left,
    failures,
    debt_packs: debtPacks,
    debt_bytes: debtBytes,
  };
}

function namingWiki(error: unknown, name: string): unknown {
  const { code, text, data, cause } = toWikiError(error);
  return new WikiError(code, { ...text, happened: `In the wiki "${name}": ${text.happened}` }, data, {
    cause,
  });
}

/** Adds the progress of the round to an error, for those who watch it even if one of the wikis failed. */
function withRound(error: unknown, round: Report['round']): WikiError {
  const { code, text, data, cause } = toWikiError(error);
  return new WikiError(code, text, { ...data, round }, { cause });
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
