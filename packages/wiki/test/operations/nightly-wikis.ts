import type { WikiError } from '../../src/contract/errors.ts';
import type { Output } from '../../src/contract/operations.ts';
import type { OpenWiki, Round } from '../../src/core/directory-port.ts';
import { NOTHING } from '../../src/core/operations/maintenance/tidy.ts';
import { tidyAll } from '../../src/core/operations/maintenance/tidy-all.ts';
import type { DirectorySession } from '../../src/core/session.ts';

type Report = Output<'maintain_wiki'>;
type RoundReport = NonNullable<Report['round']>;

export interface NightlyOptions {
  /** The number of whole calls that a wiki takes; the others take a part of one. */
  callsOf?: Readonly<Record<string, number>> | ((name: string) => number);
  /** The number of wikis for which the time of a call suffices. */
  turnsOfCall?: number;
  /** Called once for each turn of a wiki: the bytes that wait to be merged in it when that is over. */
  debt?: () => number;
}

/** As the schedule of the stack: from 02:02, each five minutes. */
const CALLS_A_NIGHT = 36;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Wikis that hold nothing, maintained by the calls of the nightly schedule in a time of their own. */
export function nightlyWikis(names: readonly string[], options: NightlyOptions) {
  const { callsOf = {}, turnsOfCall = Number.POSITIVE_INFINITY, debt = () => 0 } = options;
  const wikis = new Set(names);
  const left = new Map(
    names.map((name) => [name, typeof callsOf === 'function' ? callsOf(name) : (callsOf[name] ?? 0)]),
  );
  const failures = new Map<string, unknown>();
  const turns: string[] = [];
  const finished = new Set<string>();
  let round: Round | null = null;
  let nowMs = Date.UTC(2026, 0, 1, 2, 2);

  async function call({ onceANight = true } = {}): Promise<Report> {
    const time = { isOver: false, turns: 0 };
    const signal = {
      get aborted() {
        return time.isOver;
      },
    } as AbortSignal;
    const visit = async <Result>(name: string, act: (wiki: OpenWiki) => Promise<Result>) => {
      turns.push(name);
      if (failures.has(name)) throw failures.get(name);
      return act(openWiki(name, time));
    };
    const directory = {
      names: async () => [...wikis].toSorted(),
      // As from a file: nothing of it is shared.
      readRound: async () => structuredClone(round),
      keepRound: async (kept: Round) => {
        round = structuredClone(kept);
      },
      visit,
      uploads: () => ({ removeOld: async () => 0 }),
      removeOldUploads: async () => 0,
    };
    const session = { directory, call: { signal }, now: () => nowMs } as unknown as DirectorySession;
    try {
      return await tidyAll(session, { ...NOTHING, mode: 'tidy' }, onceANight);
    } finally {
      nowMs += 5 * MINUTE_MS;
    }
  }

  function openWiki(name: string, time: { isOver: boolean; turns: number }): OpenWiki {
    const isLong = (left.get(name) ?? 0) > 1;
    const tidy = async () => {
      const debtBytes = debt();
      return {
        packsBefore: 0,
        packs: 0,
        garbagePacksRemoved: 0,
        requestsForgotten: 0,
        temporaryFilesDeleted: 0,
        debtPacks: debtBytes > 0 ? 1 : 0,
        debtBytes,
      };
    };
    const save = async () => {
      time.turns += 1;
      const wholeCall = time.turns === 1;
      if (isLong && wholeCall) left.set(name, (left.get(name) ?? 0) - 1);
      time.isOver = isLong || time.turns >= turnsOfCall;
      if (!isLong) finished.add(name);
      return !isLong;
    };
    const repository = { maintenance: { tidy }, head: async () => ({ commit: 'a'.repeat(40) }) };
    return { repository, index: { save } } as unknown as OpenWiki;
  }

  /** The progress that each call of a night reported, also one that failed. */
  async function night(): Promise<RoundReport[]> {
    const beganMs = nowMs - ((nowMs - Date.UTC(2026, 0, 1, 2, 2)) % DAY_MS);
    const reports: RoundReport[] = [];
    for (let number = (nowMs - beganMs) / (5 * MINUTE_MS); number < CALLS_A_NIGHT; number += 1) {
      const { round: reported } = await call().catch(({ data }: WikiError) => data as unknown as Report);
      if (reported !== null) reports.push(reported);
    }
    nowMs = beganMs + DAY_MS;
    return reports;
  }

  return {
    wikis,
    call,
    night,
    /** The name of each wiki that was begun, in order. */
    turns: () => turns,
    finished: () => [...finished].toSorted(),
    fail: (name: string, error: unknown) => failures.set(name, error),
  };
}
