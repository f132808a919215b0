import { expect, test } from 'vitest';
import { latenciesOf } from './report-live.ts';

test('a change that a watcher did not see is lost', () => {
  const written = [{ writer: 0, count: 2, commit: 'b', atMs: 10 }];
  const watcher = { events: [{ atMs: 20, commit: 'a' }], seen: [{ atMs: 21, counts: [1] }], away: [] };
  const rest = { memory: { beginBytes: 0, endBytes: 0 }, processorMs: 0, seconds: 1 };
  const measure = (more: Partial<typeof watcher>) =>
    latenciesOf({ written, watchers: [{ ...watcher, ...more }], order: ['a', 'b'], ...rest });
  expect(measure({})).toMatchObject({ lostEvents: 1, lostShown: 1, event: [] });
  const later = { events: [{ atMs: 20, commit: 'b' }], seen: [{ atMs: 25, counts: [2] }] };
  expect(measure(later)).toMatchObject({ lostEvents: 0, lostShown: 0, event: [10], shown: [15] });
});
