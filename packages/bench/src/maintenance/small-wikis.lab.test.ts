import { expect, test } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
import { measureNights } from './nights.ts';

// More than one call can tidy before its time is over, also on a machine that is three times as fast.
const WIKIS = sampled(100, 60);

test('the nightly schedule tidies many small wikis and reports its progress', async ({ annotate }) => {
  const measured = await measureNights({ wikis: WIKIS, timeoutMs: 4_000, progress: () => undefined });
  await annotate(JSON.stringify(measured));
  expect(measured).toMatchObject({ wikis: WIKIS, nights: 1, untidy: 0 });
  expect(measured.calls).toBeGreaterThan(1);
  expect(measured.metrics).toEqual({
    wikis_done: WIKIS,
    wikis_left: 0,
    wikis_unfinished: 0,
    failures: 0,
    debt_packs: 0,
    debt_bytes: 0,
    debt_growth_rounds: 0,
  });
});
