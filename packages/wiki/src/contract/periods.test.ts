import { expect, onTestFinished, test, vi } from 'vitest';
import { endOf, readPeriod, startOf } from './periods.ts';

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
  ['now', '2026-03-04T10:20:30.400Z', '2026-03-04T10:20:30.400Z'],
  ['two days ago', '2026-03-02T00:00:00.000Z', '2026-03-02T23:59:59.999Z'],
  ['Twelve hours ago', '2026-03-03T22:20:30.400Z', '2026-03-03T22:20:30.400Z'],
  ['last 7 days', '2026-02-25T00:00:00.000Z', '2026-03-04T10:20:30.400Z'],
  ['the past two weeks', '2026-02-18T00:00:00.000Z', '2026-03-04T10:20:30.400Z'],
  ['last 3 months', '2025-12-04T00:00:00.000Z', '2026-03-04T10:20:30.400Z'],
  ['last 2 hours', '2026-03-04T08:20:30.400Z', '2026-03-04T10:20:30.400Z'],
  ['Monday', '2026-03-02T00:00:00.000Z', '2026-03-02T23:59:59.999Z'],
  ['last Monday', '2026-03-02T00:00:00.000Z', '2026-03-02T23:59:59.999Z'],
  ['Wednesday', '2026-03-04T00:00:00.000Z', '2026-03-04T23:59:59.999Z'],
  ['last wednesday', '2026-02-25T00:00:00.000Z', '2026-02-25T23:59:59.999Z'],
  ['last Thursday', '2026-02-26T00:00:00.000Z', '2026-02-26T23:59:59.999Z'],
  ['2 months ago', '2026-01-04T00:00:00.000Z', '2026-01-04T23:59:59.999Z'],
  ['last \t  week', '2026-02-23T00:00:00.000Z', '2026-03-01T23:59:59.999Z'],
  ['2026-10-05T12:30:00.123456789Z', '2026-10-05T12:30:00.123Z', '2026-10-05T12:30:00.123Z'],
  ['2026-10-05T12:30:45-02:30', '2026-10-05T15:00:45.000Z', '2026-10-05T15:00:45.000Z'],
  ['2024-02-29T23:59Z', '2024-02-29T23:59:00.000Z', '2024-02-29T23:59:00.000Z'],
  ['this month', '2026-03-01T00:00:00.000Z', '2026-03-31T23:59:59.999Z'],
  ['this year', '2026-01-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
  ['Sunday', '2026-03-01T00:00:00.000Z', '2026-03-01T23:59:59.999Z'],
  ['Tuesday', '2026-03-03T00:00:00.000Z', '2026-03-03T23:59:59.999Z'],
  ['last Friday', '2026-02-27T00:00:00.000Z', '2026-02-27T23:59:59.999Z'],
  ['Saturday', '2026-02-28T00:00:00.000Z', '2026-02-28T23:59:59.999Z'],
  ['5 minutes ago', '2026-03-04T10:15:30.400Z', '2026-03-04T10:15:30.400Z'],
  ['an hour ago', '2026-03-04T09:20:30.400Z', '2026-03-04T09:20:30.400Z'],
  ['2 years ago', '2024-03-04T00:00:00.000Z', '2024-03-04T23:59:59.999Z'],
  ['last 1 hour', '2026-03-04T09:20:30.400Z', '2026-03-04T10:20:30.400Z'],
  ['last 10 minutes', '2026-03-04T10:10:30.400Z', '2026-03-04T10:20:30.400Z'],
  ['past 2 years', '2024-03-04T00:00:00.000Z', '2026-03-04T10:20:30.400Z'],
] as const)('%s begins at %s and ends at %s', ([text, start, end]) => {
  const period = readPeriod(text, NOW);
  expect([period?.start.toISOString(), period?.end.toISOString()]).toEqual([start, end]);
});

test('numbers are read in words, up to twelve', () => {
  const words = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
  for (const [before, word] of words.entries()) {
    const hours = (before + 1) * 3_600_000;
    expect(readPeriod(`${word} hours ago`, NOW)?.start.getTime(), word).toBe(NOW.getTime() - hours);
  }
});

test('a time without a zone is in UTC, whatever the zone of the machine', () => {
  vi.stubEnv('TZ', 'America/New_York');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  expect(readPeriod('2026-10-05 12:30', NOW)?.start.toISOString()).toBe('2026-10-05T12:30:00.000Z');
});

test('the start and the end of a time that a caller may have given', () => {
  expect(startOf('2025', NOW)?.toISOString()).toBe('2025-01-01T00:00:00.000Z');
  expect(endOf('2025', NOW)?.toISOString()).toBe('2025-12-31T23:59:59.999Z');
  expect([startOf(undefined, NOW), endOf(undefined, NOW)]).toEqual([undefined, undefined]);
});

test('a month before the 31st ends with the shorter month', () => {
  const period = readPeriod('a month ago', new Date('2026-03-31T12:00:00Z'));
  expect(period?.start.toISOString()).toBe('2026-02-28T00:00:00.000Z');
});

test.for([
  '',
  'foo 1',
  'yesterday-ish',
  'Someday',
  'last thirteen days',
  'last 0x7 days',
  '2026-13',
  '2026-02-30',
  '5',
  '2026-10-05T25:00Z',
  '99999999999 years ago',
  '10000 days ago',
  '00002 days ago',
  'in 2026',
  '2026 or so',
  '2026-10-05T12:30:00.1234567890Z',
  '2026-02-30T12:30Z',
  '2026-02-31',
  '2026-00-10',
  'on Monday',
  'Mondays',
  'since last week',
  'last weeks',
  'or 3 days ago',
  '3 days ago or so',
  '3 days, ago',
  'in the last 7 days',
  'last 7 days or so',
])('%j is not a date', (text) => {
  expect(readPeriod(text, NOW)).toBeNull();
});

test('the time zone of the machine changes no period', () => {
  const texts = ['Monday', 'yesterday', '2 months ago', 'last year', 'this week', '2026-10-05 12:30', 'now'];
  const times = ['2026-03-04T10:20:30Z', '2026-12-31T20:00:00Z', '2026-01-01T03:00:00Z'];
  const read = (zone: string) => {
    vi.stubEnv('TZ', zone);
    return times.flatMap((time) => texts.map((text) => readPeriod(text, new Date(time))));
  };
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const expected = read('UTC');
  for (const [zone, hour] of [
    ['Pacific/Kiritimati', 14],
    ['Pacific/Pago_Pago', 13],
  ] as const) {
    expect(read(zone)).toEqual(expected);
    expect(new Date('2026-03-04T00:00:00Z').getHours()).toBe(hour);
  }
});
