import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomVaults } from './links-config.ts';
import { newTally, printed, runVault, vaults } from './vault-at-random.ts';

const { seconds, vaults: numRuns, seed } = randomVaults;
const timeout = (seconds + 2_700) * 1_000;

test('in many vaults, after any operation each link leads where it led, or the answer reports it', {
  timeout,
}, async () => {
  const tally = newTally();
  const property = fc.asyncProperty(vaults({ pages: 20, steps: 20 }), (vault) =>
    runVault(vault, tally, { copies: true }),
  );
  await fc.assert(property, {
    seed,
    numRuns,
    interruptAfterTimeLimit: seconds * 1_000,
  });
  process.stdout.write(printed(seed, tally));
  // A vault has some 400, which may be fewer by chance.
  expect(tally.linksChecked).toBeGreaterThan(tally.vaults * 100);
});
