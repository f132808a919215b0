import { expect, test } from 'vitest';
import { createPacer } from './pacer.ts';

test('a machine that is busy with other things adds nothing to the work that a limit counts', async () => {
  const pacer = createPacer();
  pacer.resume();
  standStill(60);
  expect(pacer.isDue).toBe(true);
  await pacer.yieldIfDue();
  expect(pacer.workedMs).toBeLessThan(30);
});

test('work counts, and waits between pieces of it do not', async () => {
  const pacer = createPacer();
  pacer.resume();
  const before = process.threadCpuUsage();
  while (process.threadCpuUsage(before).user < 20_000);
  await pacer.yieldIfDue();
  expect(pacer.workedMs).toBeGreaterThanOrEqual(19);
});

/** Blocks the thread without work, as if the processor were elsewhere. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
