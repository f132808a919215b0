import { expect, test } from 'vitest';
import { groupsOf, levelsOffAt } from './analysis.ts';
import type { JitterRecord, Service, Store } from './record.ts';
import { reportJitter } from './report.ts';

/** So many reads whose throughputs are 1 MiB/s apart, evenly about a mean. */
function reads(
  service: Service,
  store: Store,
  size_mib: number,
  mean: number,
  count: number,
): JitterRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const mib_per_s = mean + index - (count - 1) / 2;
    return {
      time: new Date(Date.UTC(2026, 0, 1 + index, 12)).toISOString(),
      service,
      store,
      size_mib,
      duration_ms: (size_mib / mib_per_s) * 1000,
      mib_per_s,
      cold: true,
      instance: `${service}-${index}`,
    };
  });
}

function logOf(records: readonly JitterRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

test('the report of a made-up log recovers its modes, means, bands, ratio and slowdown', async () => {
  const log = logOf([
    ...reads('lambda', 'efs', 500, 150, 20),
    ...reads('lambda', 'efs', 500, 400, 20),
    ...reads('lambda', 's3', 300, 90, 40),
  ]);
  const { markdown } = await reportJitter(log, 'made-up.ndjson', 'the command', []);
  // Forty values 1 apart: s = sqrt(40 * 41 / 12), and scipy's stats.t.ppf(0.975, 39) is 2.022690920.
  const half = (2.02269092 * Math.sqrt((40 * 41) / 12)) / Math.sqrt(40);
  const band = `${Number((90 - half).toPrecision(3))} to ${Number((90 + half).toPrecision(3))}`;
  expect(band).toBe('86.3 to 93.7');
  expect(markdown).toContain(`| Lambda from S3 | 40 | 90 | ${band} | 90 | 108 | 70.5 | 110 |`);
  expect(markdown).toMatch(/\| Lambda from EFS \| 40 \| 275 \| 234 to 316 \|/);
  expect(markdown).toContain('3.06 in Lambda (published: 3)');
  expect(markdown).toMatch(
    /\| Lambda from EFS \| 40 \| 0\.\d+ \| < 0\.0005 \| two: 150 MiB\/s \(50 %\) and 400 MiB\/s \(50 %\) \|/,
  );
  expect(markdown).toMatch(/\| Lambda from S3 \| 40 \| 0\.\d+ \| [01][.\d]* \| one mode is not ruled out \|/);
  const slowest = Number((109.5 / 70.5).toPrecision(3));
  expect(markdown).toMatch(
    new RegExp(`\\| Lambda from S3 \\| 40 \\| [\\d.]+ \\| [\\d.]+ \\| ${slowest} \\|`),
  );
  expect(markdown).toContain('Measured from 2026-01-01 12:00 to 2026-02-09 12:00');
});

test('throughput levels off at the size from which every mean is at least nine tenths of the highest', () => {
  const means = [
    [1, 20],
    [10, 60],
    [100, 90],
    [300, 100],
    [500, 98],
    [1000, 101],
  ] as const;
  const records = means.flatMap(([size, mean]) => reads('fargate', 's3', size, mean, 3));
  expect(groupsOf(records).map(levelsOffAt)).toEqual([300]);
  const falling = means.flatMap(([size, mean]) => reads('fargate', 's3', size, 200 - mean, 3));
  expect(groupsOf(falling).map(levelsOffAt)).toEqual([null]);
});

test('lines that are not records are named with their numbers, and the others count', async () => {
  const [one, two] = reads('fargate', 's3', 10, 50, 2);
  const lines = [
    'START RequestId: 1',
    JSON.stringify(one),
    '{"time":"yesterday"}',
    '',
    JSON.stringify(two),
    '{"tim',
  ];
  const { markdown } = await reportJitter(lines.join('\n'), 'broken.ndjson', 'the command', []);
  expect(markdown).toContain('2 reads');
  expect(markdown).toContain('broken.ndjson has 3, which count for nothing here');
  expect(markdown).toContain('- line 1: is not JSON');
  expect(markdown).toMatch(/- line 3: time: .*service: /);
  expect(markdown).toContain('- line 6: is not JSON');
});

test('a burst is listed separately from the reads of single tasks, next to the fastest of them', async () => {
  const alone = reads('fargate', 'efs', 500, 100, 3);
  const burst = [50, 25, 10].map(
    (mib_per_s, index): JitterRecord => ({
      time: new Date(Date.UTC(2026, 1, 1, 12, 0, index)).toISOString(),
      service: 'fargate',
      store: 'efs',
      size_mib: 500,
      duration_ms: (500 / mib_per_s) * 1000,
      mib_per_s,
      cold: true,
      instance: `burst-${index}`,
      system: 'Amazon Linux 2023, Node v24.1.0',
      burst: { id: 'a', tasks: 3 },
    }),
  );
  const { markdown } = await reportJitter(logOf([...alone, ...burst]), 'made-up.ndjson', 'the command', []);
  expect(markdown).toContain('| Fargate from EFS | 3 | 100 |');
  expect(markdown).toContain('| 3 | 3 | 500 | 2 | 10 | 50 | 5 | 10.1 |');
  expect(markdown).toContain('Fargate ran on Amazon Linux 2023, Node v24.1.0.');
  const { markdown: without } = await reportJitter(logOf(alone), 'made-up.ndjson', 'the command', []);
  expect(without).not.toContain('Bursts');
});

test('the report says if the log is empty', async () => {
  const { markdown, plots } = await reportJitter('', 'empty.ndjson', 'the command', []);
  expect(markdown).toContain('empty.ndjson holds no result, so there is nothing to report.');
  expect(plots).toEqual({});
});

test('each plot names its axes and their units', async () => {
  const log = logOf([...reads('lambda', 'efs', 10, 90, 5), ...reads('fargate', 's3', 100, 90, 5)]);
  const { plots } = await reportJitter(log, 'made-up.ndjson', 'the command', []);
  for (const name of ['by-size', 'services']) {
    expect(plots[name]).toContain('file size (MiB, logarithmic)');
    expect(plots[name]).toContain('throughput (MiB/s)');
  }
  expect(plots['over-time']).toContain('time (UTC)');
});
