import { expect, test } from 'vitest';
import { measureNights } from './nights.ts';

test('the nightly schedule tidies 100 small wikis and reports its progress', async ({ annotate }) => {
  const measured = await measureNights({ wikis: 100, timeoutMs: 6_000, progress: () => undefined });
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
