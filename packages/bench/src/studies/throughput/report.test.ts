import { expect, test } from 'vitest';
import type { ThroughputEntry } from './entry.ts';
import type { Mode } from './record.ts';
import { reportThroughput } from './report.ts';

/** Two repetitions whose mean is known. */
function entries(set: string, bytes: number, mode: Mode, mean: number): ThroughputEntry[] {
  return [-1, 1].map((offset) => ({
    step: `${set} ${mode} ${offset}`,
    time: '2026-01-01T12:00:00.000Z',
    mode,
    set,
    bytes,
    files: 10,
    duration_ms: mean + offset,
    instance: mode,
  }));
}

test('the published times give the published differences', async () => {
  const log = [
    ...entries('100 MB', 100_000_000, 'elastic', 12_161),
    ...entries('100 MB', 100_000_000, 'bursting', 17_081),
    ...entries('1 KB', 1_000, 'elastic', 95.2),
    ...entries('1 KB', 1_000, 'bursting', 100.6),
    ...entries('1 MB', 1_000_000, 'elastic', 366.2),
    ...entries('1 MB', 1_000_000, 'bursting', 369.8),
  ].map((entry) => JSON.stringify(entry));
  const { markdown, plots } = await reportThroughput(log.join('\n'), 'made-up.ndjson', 'the command', []);
  for (const [set, difference] of [
    ['1 KB', '−5.37 %'],
    ['1 MB', '−0.97 %'],
    ['100 MB', '−28.80 %'],
  ]) {
    expect(markdown).toMatch(new RegExp(`\\| ${set} \\| .* \\| ${difference} \\| .* \\| ${difference} \\|`));
  }
  // 10 files of 100 MB are 953.67 MiB.
  expect(markdown).toMatch(/\| 100 MB \| elastic \| 2 \| .* \| 78\.4 \|/);
  expect(plots.means).toContain('mean time of all files (ms)');
});

test('the report says if the file of results is empty', async () => {
  const { markdown } = await reportThroughput('', 'empty.ndjson', 'the command', []);
  expect(markdown).toContain('empty.ndjson holds no result');
});
