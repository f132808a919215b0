import { expect, test } from 'vitest';
import { RULES, type Rule } from './rules.ts';
import { runSchedule } from './schedule.ts';

const SCHEDULES = 20_000;
const ENOUGH = 10;
const SCHEDULES_OF_THE_WHOLE_PROTOCOL = 50_000;

test(`${SCHEDULES_OF_THE_WHOLE_PROTOCOL} schedules of the protocol keep every promise`, () => {
  let broken = 0;
  for (let seed = 0; seed < SCHEDULES_OF_THE_WHOLE_PROTOCOL; seed++) {
    if (runSchedule(seed, null).length > 0) broken++;
  }
  expect(broken).toBe(0);
});

test('without any one rule, schedules break a promise', ({ annotate }) => {
  const lines = (Object.keys(RULES) as Rule[]).map((rule) => {
    const kinds = new Map<string, number>();
    let [broken, seed] = [0, 0];
    // The rarest break is met twice in 20,000 schedules, the usual one in the first hundred.
    for (; seed < SCHEDULES && broken < ENOUGH; seed++) {
      const failures = runSchedule(seed, rule);
      if (failures.length > 0) broken++;
      for (const failure of failures) kinds.set(failure, (kinds.get(failure) ?? 0) + 1);
    }
    expect(broken, rule).toBeGreaterThan(0);
    const worst = [...kinds].sort(([, left], [, right]) => right - left)[0]?.[0];
    return `${String(broken).padStart(6)} of ${String(seed).padStart(5)} without "${rule}": ${worst}`;
  });
  return annotate(`\n${lines.join('\n')}`).then(() => undefined);
});
