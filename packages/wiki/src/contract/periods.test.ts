import { expect, test } from 'vitest';
import { readPeriod } from './periods.ts';

const NOW = new Date('2026-03-04T10:20:30.400Z'); // A Wednesday.

test.for([
  ['2026-10-05', '2026-10-05T00:00:00.000Z', '2026-10-05T23:59:59.999Z'],
  ['2024-02', '2024-02-01T00:00:00.000Z', '2024-02-29T23:59:59.999Z'],
  ['2025', '2025-01-01T00:00:00.000Z', '2025-12-31T23:59:59.999Z'],
  ['2026-10-05T12:30:00Z', '2026-10-05T12:30:00.000Z', '2026-10-05T12:30:00.000Z'],
  ['2026-10-05T12:30+02:00', '2026-10-05T10:30:00.000Z', '2026-10-05T10:30:00.000Z'],
  ['2026-10-05 12:30', '2026-10-05T12:30:00.000Z', '2026-10-05T12:30:00.000Z'],
  [' Today ', '2026-03-04T00:00:00.000Z', '2026-03-04T23:59:59.999Z'],
  ['yesterday', '2026-03-03T00:00:00.000Z', '2026-03-03T23:59:59.999Z'],
  ['this week', '2026-03-02T00:00:00.000Z', '2026-03-08T23:59:59.999Z'],
  ['last week', '2026-02-23T00:00:00.000Z', '2026-03-01T23:59:59.999Z'],
  ['last month', '2026-02-01T00:00:00.000Z', '2026-02-28T23:59:59.999Z'],
  ['last year', '2025-01-01T00:00:00.000Z', '2025-12-31T23:59:59.999Z'],
  ['2 hours ago', '2026-03-04T08:20:30.400Z', '2026-03-04T08:20:30.400Z'],
  ['3 days ago', '2026-03-01T00:00:00.000Z', '2026-03-01T23:59:59.999Z'],
  ['a week ago', '2026-02-25T00:00:00.000Z', '2026-02-25T23:59:59.999Z'],
  ['2 months ago', '2026-01-04T00:00:00.000Z', '2026-01-04T23:59:59.999Z'],
] as const)('%s begins at %s and ends at %s', ([text, start, end]) => {
  const period = readPeriod(text, NOW);
  expect([period?.start.toISOString(), period?.end.toISOString()]).toEqual([start, end]);
});

test('a month before the 31st ends with the shorter month', () => {
  const period = readPeriod('a month ago', new Date('2026-03-31T12:00:00Z'));
  expect(period?.start.toISOString()).toBe('2026-02-28T00:00:00.000Z');
});

test.for([
  '',
  'foo 1',
  'yesterday-ish',
  '2026-13',
  '2026-02-30',
  '5',
  '2026-10-05T25:00Z',
  '99999999999 years ago',
])('%j is not a date', (text) => {
  expect(readPeriod(text, NOW)).toBeNull();
});
