import { execFileSync } from 'node:child_process';
import type { RaceOptions, RaceReport } from './race.ts';

/** The findings of native git in a wiki after a race. */
export interface Verdict {
  isLinear: boolean;
  /** The output of `git fsck --strict`; empty if all is well. */
  faults: string;
  /** The number of commits in the branch's history with each request id. */
  applied: Record<string, number>;
  /** The number of lines that the writers appended, by page. */
  lines: Record<string, number>;
}

export function verdictOn(directory: string): Verdict {
  const ask = (...args: string[]) => askGit(directory, args);
  const faults = ask('fsck', '--strict', '--full', '--no-dangling', '--no-progress');
  const lines: Record<string, number> = {};
  for (const page of ask('ls-tree', '--name-only', 'main').split('\n')) {
    lines[page] = ask('cat-file', 'blob', `main:${page}`).split('\n').length;
  }
  return {
    isLinear: ask('rev-list', '--merges', '--count', 'main') === '0',
    faults,
    applied: appliedRequests(directory),
    lines,
  };
}

/** The number of commits in the branch's history with each request id. */
export function appliedRequests(directory: string): Record<string, number> {
  const applied: Record<string, number> = {};
  for (const line of askGit(directory, ['log', '--format=%B', 'main']).split('\n')) {
    const id = /^Request-Id: (.*)$/.exec(line)?.[1];
    if (id !== undefined) applied[id] = (applied[id] ?? 0) + 1;
  }
  return applied;
}

/** An NFS mount belongs to another user, which git minds. */
function askGit(directory: string, args: readonly string[]): string {
  const everywhere = ['-C', directory, '-c', 'safe.directory=*'];
  return execFileSync('git', [...everywhere, ...args], { encoding: 'utf8', maxBuffer: 2 ** 28 }).trimEnd();
}

/** For people who want to know how hard the race was. A race may end before all the trouble that was asked for. */
export function summaryOf(report: RaceReport, asked: Pick<RaceOptions, 'freezes' | 'kills'>): string {
  const { acknowledged, pushed, frozen, killed, replays, replayed, retried, lateAnswers } = report;
  const failures = Object.entries(report.failures).map(([code, count]) => `${count} ${code}`);
  return [
    `${frozen} of ${asked.freezes} freezes`,
    `${killed} of ${asked.kills} kills`,
    `${replays} replays of ${replayed} writes`,
    `${Object.keys(acknowledged).length} writes acknowledged`,
    `${pushed.length} pushes`,
    `${retried} retried`,
    `${lateAnswers} late answers`,
    ...failures,
    `${report.violations.length} violations`,
  ].join(', ');
}
