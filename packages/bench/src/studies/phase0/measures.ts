import { type Summary, summaryOf } from '../statistics/summary.ts';
import type { Kind, Phase0Entry, System } from './entry.ts';

/** The results of all steps of one kind for one system. */
export interface Measure {
  readonly function: Summary | null;
  readonly wall: Summary | null;
  readonly commit: Summary | null;
  readonly calls: number;
  readonly errors: readonly string[];
  /** The number of simultaneous writes that landed. */
  readonly landed: number;
}

export function measureOf(entries: readonly Phase0Entry[], system: System, kind: Kind): Measure {
  const own = entries.filter((entry) => entry.system === system && entry.kind === kind);
  const calls = own.flatMap((entry) => entry.calls);
  const errors = own.flatMap((entry) => entry.errors);
  return {
    function: summaryOf(calls.map((call) => call.function_ms)),
    wall: summaryOf(calls.map((call) => call.wall_ms)),
    commit: summaryOf(calls.flatMap(({ commit_ms }) => (commit_ms === undefined ? [] : [commit_ms]))),
    calls: calls.length + errors.length,
    errors,
    landed: own.reduce((sum, { landed = 0 }) => sum + landed, 0),
  };
}

export interface Criterion {
  readonly name: string;
  readonly limit: string;
  /** Null if nothing was measured. */
  readonly passed: boolean | null;
  readonly found: string;
}

/** The exit criteria of phase 0. Those of time hold for 95 of 100 calls, which of five cold starts are all. */
export function criteriaOf(entries: readonly Phase0Entry[], system: System): Criterion[] {
  const timed = (name: string, kind: Kind, limitMs: number): Criterion => {
    const { wall } = measureOf(entries, system, kind);
    const found = wall === null ? '' : `p95 ${wall.p95.toFixed(0)} ms, mean ${wall.mean.toFixed(0)} ms`;
    return { name, limit: `< ${limitMs} ms`, passed: wall && wall.p95 < limitMs, found };
  };
  const [reads, writes] = [measureOf(entries, system, 'reads'), measureOf(entries, system, 'writes')];
  return [
    timed('cold start', 'cold', 5_000),
    timed('warm read, wall time', 'read', 500),
    timed('warm write, wall time', 'write', 1_000),
    {
      name: 'simultaneous reads',
      limit: 'no error',
      passed: reads.calls === 0 ? null : reads.errors.length === 0,
      found: `${reads.calls - reads.errors.length} of ${reads.calls} answered`,
    },
    {
      name: 'simultaneous writes',
      limit: 'all landed',
      passed: writes.calls === 0 ? null : writes.landed === writes.calls,
      found: `${writes.landed} of ${writes.calls} landed`,
    },
  ];
}
