import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
import { newTally, printed, runVault, vaults } from './vault-at-random.ts';

test('after any operation each link leads where it led, or the answer reports it', async () => {
  const seed = 4_714;
  const tally = newTally();
  await fc.assert(
    fc.asyncProperty(vaults({ pages: 12, steps: 8 }), (vault) => runVault(vault, tally)),
    // To look for a smaller vault would outlast the test; the lab does.
    { seed, numRuns: sampled(6, 3), endOnFailure: true },
  );
  expect(tally.linksChecked).toBeGreaterThan(100);
  process.stdout.write(printed(seed, tally));
});
