import { expect, test } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
import { measureInLab, SHAPE } from './measured-in-lab.ts';

/** The number of measurements of each operation. */
const EACH = sampled(20, 8);

test(`at ${SHAPE.pages} pages writes and reads stay within their round trips`, async ({ signal }) => {
  const reads = { read_again: EACH, read_other: EACH, read_warm: EACH, read_other_after_foreign: EACH };
  const writes = { write: 5 * EACH, write_after_foreign: EACH };
  const cost = await measureInLab({ ours: { ...writes, ...reads } }, { signal });
  expect(cost('write').rpcsMean).toBeLessThanOrEqual(16);
  expect(cost('write_after_foreign').rpcsMean).toBeLessThanOrEqual(36);
  expect(cost('read_again').rpcsMost).toBeLessThanOrEqual(2);
  expect(cost('read_other').rpcsMean).toBeLessThanOrEqual(4);
  expect(cost('read_warm').rpcsMean).toBeLessThanOrEqual(10);
  expect(cost('read_warm').missed).toBe(0);
  expect(cost('read_other_after_foreign').rpcsMean).toBeLessThanOrEqual(10);
});
