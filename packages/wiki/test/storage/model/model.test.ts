import { expect, test } from 'vitest';
import { sampled } from '../../../../../labs/sample.ts';
import { RULES, type Rule } from './rules.ts';
import { runSchedule } from './schedule.ts';

const SCHEDULES = 20_000;
const SOME = sampled(SCHEDULES, 5_000);

test(`${SOME} random schedules of the protocol keep every promise`, () => {
  const broken = new Map<number, string[]>();
  for (let seed = 0; seed < SOME; seed++) {
    const failures = runSchedule(seed, null);
    if (failures.length > 0) broken.set(seed, failures);
  }
  expect([...broken]).toEqual([]);
});

test.for(Object.entries(RULES) as [Rule, string][])('without "%s" a schedule breaks: %s', ([rule]) => {
  let seed = 0;
  while (seed < SCHEDULES && runSchedule(seed, rule).length === 0) seed++;
  expect(seed, 'no schedule missed the rule').toBeLessThan(SCHEDULES);
});
