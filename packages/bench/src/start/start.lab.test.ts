import { expect, test } from 'vitest';
import { measureStarts } from './bench-start.ts';

test('with 10,000 pages, start time and memory stay within three times their goals', async () => {
  const { listed, memory } = await measureStarts(10_000, 3);
  // Aimed at are 300 ms and 100 MB; a shared machine may be busy.
  expect(listed).toBeLessThan(900);
  expect(memory ?? 0).toBeLessThan(300_000_000);
});
