import type { Output } from '../../../contract/operations.ts';
import type { Round } from '../../directory-port.ts';
import type { Tidied } from './tidy.ts';

type RoundReport = NonNullable<Output<'maintain_wiki'>['round']>;

/** @param before The round that ended last; null if none is known. */
export function newRound(beganMs: number, before: Round | null): Round {
  return {
    beganMs,
    endedMs: null,
    after: null,
    done: 0,
    failures: 0,
    debtPacks: 0,
    debtBytes: 0,
    unfinished: [],
    repeats: 0,
    debtBytesBefore: before === null ? null : debtOf(before).bytes,
    debtGrowthRounds: before?.debtGrowthRounds ?? 0,
    begun: null,
  };
}

/** A round without the wikis that were deleted since the last call. */
export function withoutDeleted(round: Round, names: readonly string[]): Round {
  const there = new Set(names);
  return { ...round, unfinished: round.unfinished.filter(({ name }) => there.has(name)) };
}

/** The wikis that have a turn left in this round, in order: first those that had none, then the unfinished ones. */
export function turnsLeft({ after, unfinished }: Round, names: readonly string[]): string[] {
  const hadNone = names.filter((name) => after === null || name > after);
  return [...hadNone, ...unfinished.map(({ name }) => name)];
}

export interface Turn {
  name: string;
  /** Null if the wiki could not be tidied. */
  tidied: Tidied | null;
  /** True if the wiki was the first of its call, and so had all the time that a call has. */
  isWholeCall: boolean;
  names: readonly string[];
  nowMs: number;
}

/**
 * The round after the turn of a wiki. A wiki that is unfinished comes again: first in the next call if it had
 * only a part of this one, and else at the end of the round, so that it keeps no other from its turn.
 */
export function afterTurn(round: Round, { name, tidied, isWholeCall, names, nowMs }: Turn): Round {
  const isUnfinished = tidied !== null && tidied.report.unfinished.length > 0;
  if (isUnfinished && !isWholeCall) return round;
  const { debtPacks, debtBytes } = tidied ?? { debtPacks: 0, debtBytes: 0 };
  const others = round.unfinished.filter((wiki) => wiki.name !== name);
  const isRepeat = others.length < round.unfinished.length;
  const moved = { ...round, after: isRepeat ? round.after : name };
  const next = isUnfinished
    ? {
        ...moved,
        unfinished: [...others, { name, debtPacks, debtBytes }],
        repeats: round.repeats + (isRepeat ? 1 : 0),
      }
    : {
        ...moved,
        unfinished: others,
        done: round.done + 1,
        failures: round.failures + (tidied === null ? 1 : 0),
        debtPacks: round.debtPacks + debtPacks,
        debtBytes: round.debtBytes + debtBytes,
      };
  return hasTurns(next, names) ? next : ended(next, nowMs);
}

function ended(round: Round, nowMs: number): Round {
  const { debtBytesBefore, debtGrowthRounds } = round;
  const grew = debtBytesBefore !== null && debtOf(round).bytes > debtBytesBefore;
  return { ...round, endedMs: nowMs, debtGrowthRounds: grew ? debtGrowthRounds + 1 : 0 };
}

/** Packs that wait to be merged in all wikis that had their turn. */
function debtOf({ unfinished, debtPacks, debtBytes }: Round): { packs: number; bytes: number } {
  return {
    packs: unfinished.reduce((sum, wiki) => sum + wiki.debtPacks, debtPacks),
    bytes: unfinished.reduce((sum, wiki) => sum + wiki.debtBytes, debtBytes),
  };
}

/** False if the round is over, even if wikis are unfinished: these go on in the next one. */
function hasTurns(round: Round, names: readonly string[]): boolean {
  const left = turnsLeft(round, names).length;
  return left > round.unfinished.length || (left > 0 && round.repeats < MAX_REPEATS);
}

export function describeRound(round: Round, names: readonly string[]): RoundReport {
  const { endedMs, done, failures, unfinished, debtGrowthRounds } = round;
  const debt = debtOf(round);
  return {
    wikis_done: done,
    wikis_left: endedMs === null ? turnsLeft(round, names).length : 0,
    wikis_unfinished: unfinished.length,
    unfinished_wikis: unfinished.slice(0, MAX_NAMES).map(({ name }) => name),
    failures,
    debt_packs: debt.packs,
    debt_bytes: debt.bytes,
    debt_growth_rounds: debtGrowthRounds,
  };
}

/**
 * The number of calls that a round spends on wikis that took a whole call before and are unfinished again. A
 * night has 36 calls: the next round must begin soon, for the other wikis, if one can never be finished.
 */
const MAX_REPEATS = 24;
const MAX_NAMES = 20;
