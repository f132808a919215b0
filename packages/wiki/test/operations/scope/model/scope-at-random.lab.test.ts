import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rarelyCompared } from './compared-operations.ts';
import { printed, run, runs } from './scope-at-random.ts';
import { randomScopes } from './scope-model-config.ts';

const { seconds, wikis: numRuns, seed } = randomScopes;

test('many wikis with a scope answer as wikis of nothing else, which native git made', {
  timeout: (seconds + 2_700) * 1_000,
}, async () => {
  const tally = { wikis: 0, steps: 0, compared: {} };
  const property = fc.asyncProperty(runs({ parts: 5, steps: 6, asks: 60, writes: 6 }), (each) =>
    run(each, tally),
  );
  try {
    await fc.assert(property, {
      seed,
      numRuns,
      endOnFailure: true,
      interruptAfterTimeLimit: seconds * 1_000,
    });
  } finally {
    process.stdout.write(printed(seed, tally));
  }
  expect(rarelyCompared(tally.compared, tally.wikis / 10)).toEqual([]);
});
