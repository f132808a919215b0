import { expect, test } from 'vitest';
import { measureMaintenance } from './bench-maintenance.ts';
import type { RunMeasured } from './measure-run.ts';

const progress = () => undefined;

test('check and repair of 1,000 pages finish on the default function, each call within its time limit', async ({
  annotate,
}) => {
  // So short that it takes several calls, as 10,000 pages do in 30 s.
  const timeoutMs = 5_000;
  const measured = await measureMaintenance({ pages: 1_000, timeoutMs, progress });
  const { check, repair, checkAfter, alone, beside } = measured;
  await annotate(
    JSON.stringify({
      ...measured,
      check: brief(check),
      repair: brief(repair),
      checkAfter: brief(checkAfter),
    }),
  );
  expect(check.answer).toMatchObject({ finished: true, problems: [] });
  expect(check.answer.commits_checked).toBeGreaterThanOrEqual(1_000);
  expect(check.calls).toBeGreaterThan(1);
  expect(repair.answer).toMatchObject({ finished: true, packs_replaced: 1 });
  expect(repair.calls).toBeGreaterThan(1);
  expect(checkAfter.answer).toMatchObject({ finished: true, problems: [] });
  for (const { peakMemoryMib } of [check, repair, checkAfter]) expect(peakMemoryMib).toBeLessThan(400);
  expect(beside.read / alone.read).toBeLessThan(2);
  expect(beside.write / alone.write).toBeLessThan(2);
});

function brief({ calls, seconds, processorSeconds, peakMemoryMib }: RunMeasured) {
  return { calls, seconds, processorSeconds, peakMemoryMib };
}
