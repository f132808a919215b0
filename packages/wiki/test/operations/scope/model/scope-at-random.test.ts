import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from '../../../../../../labs/sample.ts';
import { rarelyCompared } from './compared-operations.ts';
import { printed, run, runs } from './scope-at-random.ts';

test('a wiki with a scope answers as a wiki of nothing else, which native git made', async () => {
  const seed = 4_715;
  const tally = { wikis: 0, steps: 0, compared: {} };
  await fc.assert(
    fc.asyncProperty(runs({ parts: 3, steps: 5, asks: 40, writes: 12 }), (each) => run(each, tally)),
    // To look for a smaller wiki would outlast the test; the lab does.
    { seed, numRuns: sampled(24, 12), endOnFailure: true },
  );
  expect(rarelyCompared(tally.compared, 2)).toEqual([]);
  process.stdout.write(printed(seed, tally));
});
