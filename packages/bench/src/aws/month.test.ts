import { expect, test } from 'vitest';
import { missedReads, monthFrom, scheduledKey, slots } from './month.ts';

const month = { from: '2026-11-21T05:00:00Z', to: '2026-12-21T05:00:00Z' };

function keysUntil(now: Date): Set<string> {
  const keys = new Set<string>();
  for (let hour = Date.parse(month.from); hour < now.getTime(); hour += 3_600_000)
    for (const { service, store, minute } of slots) {
      const time = new Date(hour + minute * 60_000).toISOString().replace('.000', '');
      keys.add(scheduledKey(service, store, time));
    }
  return keys;
}

test('a month begins with a full hour that the stack is made by, and lasts thirty days', () => {
  expect(monthFrom(new Date('2026-11-21T03:59:59Z'))).toEqual(month);
  expect(monthFrom(new Date('2026-11-21T03:00:00Z'))).toEqual(month);
});

test('no read is missed if every read left its record', () => {
  const now = new Date('2026-11-22T05:00:00Z');
  expect(missedReads(month, keysUntil(now), now)).toEqual([]);
});

test('a read without a record is missed, by its service, store and time', () => {
  const now = new Date('2026-11-22T05:00:00Z');
  const keys = keysUntil(now);
  keys.delete(scheduledKey('fargate', 's3', '2026-11-21T17:45:00Z'));
  expect(missedReads(month, keys, now)).toEqual([{ slot: slots[3], time: '2026-11-21T17:45:00Z' }]);
});

test('a read that may still be running is not missed, nor is any read after the month', () => {
  expect(missedReads(month, new Set(), new Date('2026-11-21T05:20:00Z'))).toEqual([]);
  expect(missedReads(month, new Set(), new Date('2026-11-21T05:31:00Z'))).toHaveLength(1);
  expect(missedReads(month, new Set(), new Date('2027-11-21T05:00:00Z'))).toHaveLength(30 * 24 * 4);
});
