import { expect, test } from 'vitest';
import { type Sample, summarize, together } from './samples.ts';

function sample(milliseconds: number, rest: Partial<Sample> = {}): Sample {
  return { milliseconds, peakRssMegabytes: 50, ...rest };
}

function mounted(rpcs: Record<string, number>, bytesRead = 0): Partial<Sample> {
  return { mount: { rpcs, bytesRead, bytesWritten: 0 } };
}

test('the median and the 95th percentile are measured times, and one long wait moves only the latter', () => {
  const times = Array.from({ length: 20 }, (_, number) => sample(number === 7 ? 900 : number + 1));
  expect(summarize(times, 140)).toMatchObject({ milliseconds: { median: 12, p95: 900, least: 1 } });
});

test('a stale read counts neither in time nor in round trips, but is reported', () => {
  const stale = { missed: 'stale' } as const;
  const fresh = sample(5, mounted({ OPEN: 2, READ: 2 }));
  const summary = summarize([stale, fresh, stale], 140);
  expect(summary).toMatchObject({ count: 1, stale: 2, failed: 0, milliseconds: { median: 5 } });
  expect(summary).toHaveProperty('mount.rpcsMean', 4);
});

test('an engine that sometimes fails is measured by its successes, and its failures are reported', () => {
  const failed = { missed: 'failed', failure: 'KeyError: a tree' } as const;
  expect(summarize([failed, sample(5)], 140)).toMatchObject({ count: 1, stale: 0, failed: 1 });
});

test('if nothing could be measured, the report says why', () => {
  const stale = { missed: 'stale' } as const;
  expect(summarize([stale, stale], 140)).toBe('Every read was stale.');
  expect(summarize([stale, { missed: 'failed', failure: 'KeyError: a tree' }], 140)).toBe('KeyError: a tree');
});

test('deferred work of writes counts in their mean round trips, but not in the maximum', () => {
  const write = sample(3, mounted({ OPEN: 3, CLOSE: 3 }, 100));
  const afterwards = sample(50, mounted({ REMOVE: 8 }, 1000));
  const summary = summarize([write, write], 140, [afterwards]);
  expect(summary).toHaveProperty('mount', {
    rpcsMean: 10,
    rpcsMost: 6,
    rpcsByKindMean: { OPEN: 3, CLOSE: 3, REMOVE: 4 },
    bytesReadMean: 600,
    bytesReadMost: 100,
  });
  expect(summary).toHaveProperty('milliseconds.median', 3);
});

test('the renewal of an idle lease does not count for an operation', () => {
  const summary = summarize([sample(1, mounted({ READ: 1, SEQUENCE: 1 }))], 140);
  expect(summary).toHaveProperty('mount.rpcsMean', 1);
});

test('the cost of opening and reading together is the sum of both', () => {
  const both = together([
    sample(20, { peakRssMegabytes: 60, ...mounted({ OPEN: 1, READ: 2 }, 10) }),
    sample(5, { peakRssMegabytes: 70, ...mounted({ READ: 1 }, 5) }),
  ]);
  expect(both).toEqual({
    milliseconds: 25,
    peakRssMegabytes: 70,
    mount: { rpcs: { OPEN: 1, READ: 3 }, bytesRead: 15, bytesWritten: 0 },
  });
});

test('on a local disk no round trips are reported', () => {
  expect(summarize([together([sample(1), sample(2)])], 140)).not.toHaveProperty('mount');
});
