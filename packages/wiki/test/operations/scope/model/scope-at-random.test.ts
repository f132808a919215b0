import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from '../../../../../../labs/sample.ts';
import { printed, run, runs } from './scope-at-random.ts';

test('a wiki with a scope answers as a wiki of nothing else, which native git made', async () => {
  const seed = 4_715;
  const tally = { wikis: 0, steps: 0, compared: 0 };
  await fc.assert(
    fc.asyncProperty(runs({ parts: 3, steps: 5, asks: 40 }), (each) => run(each, tally)),
    // To look for a smaller wiki would outlast the test; the lab does.
    { seed, numRuns: sampled(24, 12), endOnFailure: true },
  );
  expect(tally.compared).toBeGreaterThan(sampled(2_000, 1_000));
  process.stdout.write(printed(seed, tally));
});
