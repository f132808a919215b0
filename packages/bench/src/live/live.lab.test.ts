import { expect, test } from 'vitest';
import { measureLive } from './bench-live.ts';
import { latenciesOf } from './report-live.ts';

test('every watcher gets every change, also after it lost its connection', async () => {
  const measured = await measureLive({ watchers: 20, writers: 3, changes: 5 });
  const { event, shown, back, lostEvents, lostShown } = latenciesOf(measured);
  expect([lostEvents, lostShown]).toEqual([0, 0]);
  expect(event.length + back.length).toBe(20 * 15);
  expect(shown).toHaveLength(event.length);
  expect(measured.watchers.some(({ away }) => away.length > 0)).toBe(true);
});
