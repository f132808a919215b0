import { expect, test } from 'vitest';
import { measureInLab, SHAPE } from './measured-in-lab.ts';

test(`at ${SHAPE.pages} pages writes and reads stay within their round trips`, async ({ signal }) => {
  const reads = { read_again: 20, read_other: 20, read_warm: 20, read_other_after_foreign: 20 };
  const cost = await measureInLab({ ours: { write: 100, write_after_foreign: 20, ...reads } }, { signal });
  expect(cost('write').rpcsMean).toBeLessThanOrEqual(16);
  expect(cost('write_after_foreign').rpcsMean).toBeLessThanOrEqual(36);
  expect(cost('read_again').rpcsMost).toBeLessThanOrEqual(2);
  expect(cost('read_other').rpcsMean).toBeLessThanOrEqual(4);
  expect(cost('read_warm').rpcsMean).toBeLessThanOrEqual(10);
  expect(cost('read_warm').missed).toBe(0);
  expect(cost('read_other_after_foreign').rpcsMean).toBeLessThanOrEqual(10);
});

test('the first read on a cold client stays within 32 round trips and 2 MB', async ({ signal }) => {
  // Two clients, six that are fresh, and the one that writes before them.
  const cost = await measureInLab(
    { ours: { read_cold: 6 } },
    { signal, clients: 9, plan: { unmergedPacks: 20 } },
  );
  expect(cost('read_cold').rpcsMean).toBeLessThanOrEqual(32);
  expect(cost('read_cold').bytesReadMost).toBeLessThanOrEqual(2_000_000);
});
