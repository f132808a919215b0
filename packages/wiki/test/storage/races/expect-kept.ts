import { expect } from 'vitest';
import type { RaceReport } from './race.ts';
import type { Verdict } from './verdict.ts';

/** Every write and every push that was acknowledged is in the head, once, and native git finds no fault. */
export function expectKept(report: RaceReport, verdict: Verdict, writes: number): void {
  expect(report.violations).toEqual([]);
  expect(verdict.faults).toBe('');
  expect(verdict.isLinear).toBe(true);
  const ids = Object.keys(report.acknowledged);
  expect(ids).toHaveLength(writes);
  for (const id of ids) expect(verdict.applied[id], id).toBe(1);
  expect(verdict.lines['Shared.md']).toBe(writes);
  expect(Object.keys(verdict.lines)).toEqual(expect.arrayContaining(report.pushed));
}
