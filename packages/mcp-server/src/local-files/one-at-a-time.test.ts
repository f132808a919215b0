import { expect, test } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';

test('each piece of work begins when the one before has ended, even if that failed', async () => {
  const run = oneAtATime();
  const events: string[] = [];
  const work = (name: string) => async () => {
    events.push(`${name} begins`);
    await Promise.resolve();
    events.push(`${name} ends`);
    if (name === 'b') throw new Error('b failed');
    return name;
  };
  const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => run(work(name))));
  expect(results).toMatchObject([{ value: 'a' }, { reason: { message: 'b failed' } }, { value: 'c' }]);
  expect(events).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});
