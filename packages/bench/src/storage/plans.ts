import type { EnginePlan, Limits } from './measure-engine.ts';
import type { Counts } from './workload.ts';

/** The command line of each engine, the wiki, and the same with the index of ours saved beside it. */
export interface EngineSample {
  commands: Readonly<Record<string, readonly string[]>>;
  wiki: string;
  indexed: string;
}

/** On a local disk. An engine that can sync is measured without, as it is, and its writes once more with syncing. */
export function localEngines(sample: EngineSample): Record<string, EnginePlan> {
  return enginePlans(sample, (name) => {
    if (writersOnly.has(name)) return { write: 50 };
    const most = name === 'git' || name === 'isomorphic_git' ? 40 : 200;
    return {
      ...reads(most),
      read_cold: 7,
      read_warm: Math.min(most, 40),
      write: most,
      ...tellings(name, 10),
    };
  });
}

export const localLimits: Omit<Limits, 'endsAt'> = { warmUp: 20, operationSeconds: 8, callSeconds: 30 };

/**
 * On NFS without an added round trip: counts repeat exactly, so few samples suffice. A sync costs nothing
 * here.
 */
export function countedEngines(sample: EngineSample): Record<string, EnginePlan> {
  return enginePlans(sample, (name) => {
    if (name === 'ours') {
      const foreign = { write_after_foreign: 30, read_other_after_foreign: 30, read_warm: 30 };
      return { ...reads(40), read_cold: COLD_READS, write: 100, ...foreign, ...tellings(name, 5) };
    }
    if (writersOnly.has(name)) return name.endsWith('_synced') ? {} : { write: 20 };
    return { ...reads(10), read_cold: COLD_READS, read_warm: 10, write: 20, ...tellings(name, 5) };
  });
}

/** On NFS with a round trip: only what is compared in milliseconds. */
export function delayedEngines(sample: EngineSample): Record<string, EnginePlan> {
  return enginePlans(sample, (name) => {
    if (writersOnly.has(name)) return name.endsWith('_synced') ? {} : { write: 20 };
    return { ...reads(20), read_warm: 20, write: name === 'ours' ? 100 : 20 };
  });
}

export const mountedLimits: Omit<Limits, 'endsAt'> = { warmUp: 20, operationSeconds: 10, callSeconds: 20 };
export const COLD_READS = 3;

/** Other ways of an engine to write; it reads as the plain one does. */
const writersOnly: ReadonlySet<string> = new Set([
  'dulwich_synced',
  'dulwich_by_hand',
  'dulwich_by_hand_synced',
  'git_synced',
  'git_fast_import',
  'pygit2_synced',
]);

function enginePlans(sample: EngineSample, countsOf: (name: string) => Counts): Record<string, EnginePlan> {
  const plans = Object.entries(sample.commands).map(([name, command]): [string, EnginePlan] => {
    const ours = name === 'ours';
    const wiki = ours ? sample.indexed : sample.wiki;
    return [name, { command, counts: countsOf(name), wiki, loadsIndex: ours }];
  });
  return Object.fromEntries(plans.filter(([, { counts }]) => Object.keys(counts).length > 0));
}

function reads(count: number): Counts {
  return { read_again: count, read_other: count };
}

function tellings(name: string, count: number): Counts {
  const counts = { list: count, recent: count, history: count };
  return name === 'isomorphic_git' ? counts : { ...counts, diff: count };
}
