import { aroundEach, parseInput, type Wiki } from '@pagetree/wiki/contract';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startDeadline, withinDeadline } from './deadline.ts';

const caller = { author: { name: 'Ada', email: 'ada@example.org' }, agent: null };

function fakeTimers(): void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
}

test.each([
  [30_000, false, 28_500, 29_500],
  [4_500, false, 3_000, 4_000],
  [900, false, 600, 800],
  [30_000, true, 21_000, 29_500],
  [900, true, 600, 800],
])(
  'of %i ms (work that goes on later: %s), work begins up to %i and the answer leaves at %i',
  async (remaining, goesOnLater, begin, answer) => {
    fakeTimers();
    const { signal, passed } = startDeadline(remaining, { goesOnLater });
    let isPassed = false;
    void passed.then(() => {
      isPassed = true;
    });
    await vi.advanceTimersByTimeAsync(begin - 1);
    expect([signal.aborted, isPassed]).toEqual([false, false]);
    await vi.advanceTimersByTimeAsync(1);
    expect([signal.aborted, isPassed]).toEqual([true, false]);
    await vi.advanceTimersByTimeAsync(answer - begin - 1);
    expect(isPassed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isPassed).toBe(true);
  },
);

test('a call that is answered leaves no timer in the environment, which freezes', () => {
  fakeTimers();
  const deadline = startDeadline(30_000, { goesOnLater: false });
  expect(vi.getTimerCount()).toBe(2);
  deadline.clear();
  expect(vi.getTimerCount()).toBe(0);
});

test('a call that does not end reports what is known of it, and how to repeat it', async () => {
  const endless: Wiki = aroundEach(
    () => new Promise(() => {}),
    (_, run) => run(),
  );
  const passed = Promise.resolve();
  const wiki = withinDeadline(endless, { ...startDeadline(0, { goesOnLater: false }), passed });
  const happened = 'The wiki did not come to an end in the time that the function has.';
  await expect(wiki.read_page(parseInput('read_page', { path: 'P' }), { caller })).rejects.toMatchObject({
    ...{ code: 'busy', data: { retry_after_ms: 1_000 } },
    text: {
      ...{ happened, now: 'Nothing was changed.', next: 'Wait a moment and repeat the call.' },
      atTerminal: 'Wait a moment and try again.',
    },
  });
  await expect(
    wiki.write_page(parseInput('write_page', { path: 'P', content: '' }), { caller }),
  ).rejects.toMatchObject({
    code: 'write_state_unknown',
    text: {
      ...{ happened, now: 'The change may or may not be in the wiki, and may still be made.' },
      next: 'Read the page to see, or repeat the call with the same request_id: it is never applied twice.',
      atTerminal: 'Look in the wiki whether the change is there before you make it again.',
    },
  });
});
