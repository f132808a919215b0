import { readFileSync } from 'node:fs';
import { PRICES } from '@pagetree/infra/prices';
import { expect, test } from 'vitest';
import { publishedSizes } from '../studies/jitter/record.ts';
import { describeEstimate, estimate } from './estimate.ts';

const resting = { sizesMib: [...publishedSizes], month: false };
const GB = (mib: number) => (mib * 2 ** 20) / 1e9;

test('a day of being there costs what is stored, on both stores', () => {
  const storedGb = GB(3341);
  const { storage } = PRICES.efs;
  expect(estimate(resting).restingDay).toBeCloseTo(
    (storedGb * (storage.regional + PRICES.s3.storage) * 12) / 365,
  );
});

test('making the files pays for every byte once, and for the time of the function', () => {
  const seconds = 2 * (32 / 32 + 2);
  expect(estimate({ sizesMib: [32], month: false }).seeding).toBeCloseTo(
    GB(32) * 0.06 + 0.000005 + 10 * seconds * 0.0000133334 + 0.0000002,
    9,
  );
});

test('a read pays for the function, the task with its address, the bytes from EFS and the record', () => {
  const invocation = 10 * (1 + 2) * 0.0000133334 + 0.0000002;
  const task = (61 / 3600) * (8 * 0.03238 + 32 * 0.00356 + 0.005);
  const stores = GB(32) * 0.03 + 0.0000004;
  expect(estimate({ sizesMib: [32], month: false }).reads).toBeCloseTo(
    2 * (invocation + task + stores) + 4 * 0.000005,
    9,
  );
});

test('a burst pays for ten tasks and what each reads from EFS', () => {
  const task = ((500 / 32 + 60) / 3600) * (8 * 0.03238 + 32 * 0.00356 + 0.005);
  expect(estimate(resting).burst).toBeCloseTo(10 * (task + GB(500) * 0.03 + 0.000005), 9);
});

test('a schedule costs 24 such rounds a day, and no schedule costs nothing', () => {
  expect(estimate(resting).scheduledDay).toBe(0);
  const scheduled = estimate({ ...resting, month: true });
  expect(scheduled.scheduledDay).toBeCloseTo(24 * scheduled.reads);
});

test('the throughput study pays for what it writes to the elastic file system alone', () => {
  const gb = 5 * 10 * (1e3 + 1e6 + 1e8) * 1e-9;
  const { throughput } = estimate(resting);
  expect(throughput).toBeGreaterThan(gb * 0.06);
  expect(throughput).toBeLessThan(gb * 0.06 * 1.1);
});

test('people see each part, the sum of a day and where the prices come from', () => {
  const reported = describeEstimate({ ...resting, month: true });
  const { restingDay, scheduledDay } = estimate({ ...resting, month: true });
  expect(reported).toContain(`A day of this choice: ${(restingDay + scheduledDay).toFixed(2)} USD.`);
  expect(reported).toContain(PRICES.date);
  expect(reported).toContain('thirty days');
  expect(describeEstimate(resting)).not.toContain('thirty days');
});

test('docs/studies/on-aws.md has the estimate as the code has it', () => {
  const page = readFileSync(new URL('../../../../docs/studies/on-aws.md', import.meta.url), 'utf8');
  expect(page).toContain(`\`\`\`text\n${describeEstimate({ ...resting, month: true })}\n\`\`\``);
});
