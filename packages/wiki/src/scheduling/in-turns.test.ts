import { expect, onTestFinished, test, vi } from 'vitest';
import { atOnce, inTurns, type Steps } from './in-turns.ts';

function* busy(steps: number, ms: number): Steps<string> {
  for (let step = 0; step < steps; step += 1) {
    const until = performance.now() + ms;
    while (performance.now() < until);
    yield;
  }
  return 'done';
}

test('long work in steps yields every few milliseconds, and short work never', async () => {
  let turns = 0;
  const count = setInterval(() => {
    turns += 1;
  }, 1);
  expect(await inTurns(busy(30, 2))).toBe('done');
  clearInterval(count);
  expect(turns).toBeGreaterThan(5);

  // A clock that stands still: on a busy machine the shortest work may take long.
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let hadTurn = false;
  setImmediate(() => {
    hadTurn = true;
  });
  await inTurns(busy(3, 0));
  expect(hadTurn).toBe(false);
});

test('the same work can be done at once', () => {
  expect(atOnce(busy(3, 0))).toBe('done');
});
