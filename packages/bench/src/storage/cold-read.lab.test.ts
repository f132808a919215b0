import { expect, test } from 'vitest';
import { measureInLab } from './measured-in-lab.ts';

test('the first read on a cold client stays within 32 round trips and 2 MB', async ({ signal }) => {
  // Two clients, six that are fresh, and the one that writes before them.
  const cost = await measureInLab(
    { ours: { read_cold: 6 } },
    { signal, clients: 9, plan: { unmergedPacks: 20 } },
  );
  expect(cost('read_cold').rpcsMean).toBeLessThanOrEqual(32);
  expect(cost('read_cold').bytesReadMost).toBeLessThanOrEqual(2_000_000);
});
