import { expect, test } from 'vitest';
import { measureMaintenance } from './bench-maintenance.ts';
import type { RunMeasured } from './measure-run.ts';
import { measureNights } from './nights.ts';

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

test('the nightly schedule tidies 100 small wikis and reports its progress', async ({ annotate }) => {
  const measured = await measureNights({ wikis: 100, timeoutMs: 6_000, progress });
  await annotate(JSON.stringify(measured));
  expect(measured).toMatchObject({ wikis: 100, nights: 1, untidy: 0 });
  expect(measured.calls).toBeGreaterThan(1);
  expect(measured.metrics).toEqual({
    wikis_done: 100,
    wikis_left: 0,
    wikis_unfinished: 0,
    failures: 0,
    debt_packs: 0,
    debt_bytes: 0,
    debt_growth_rounds: 0,
  });
});

function brief({ calls, seconds, processorSeconds, peakMemoryMib }: RunMeasured) {
  return { calls, seconds, processorSeconds, peakMemoryMib };
}
