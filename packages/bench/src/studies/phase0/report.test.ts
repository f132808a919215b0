import { expect, test } from 'vitest';
import type { Kind, Phase0Entry, System } from './entry.ts';
import { reportPhase0 } from './report.ts';

function entry(
  system: System,
  kind: Kind,
  times: readonly number[],
  rest: Partial<Phase0Entry> = {},
): Phase0Entry {
  return {
    step: `${system} ${kind} ${times.join()}`,
    time: '2026-01-01T12:00:00.000Z',
    system,
    kind,
    calls: times.map((wall_ms) => ({ function_ms: wall_ms / 2, wall_ms, cold: null })),
    errors: [],
    ...rest,
  };
}

async function reportOf(...entries: Phase0Entry[]) {
  const log = entries.map((each) => JSON.stringify(each)).join('\n');
  return (await reportPhase0(log, 'made-up.ndjson', 'the command', [])).markdown;
}

test('known times come out as the published summary, and each criterion is judged', async () => {
  const report = await reportOf(
    ...[3234, 3370, 3403, 3504, 3524].map((time) => entry('ours', 'cold', [time])),
    entry('ours', 'read', [501]),
    entry('ours', 'write', [999]),
    entry('ours', 'reads', [10, 20], { errors: ['ThrottlingException: slow down'] }),
    entry('ours', 'writes', [10, 20, 30, 40, 50], { landed: 4 }),
  );
  expect(report).toContain('| cold start | wall | ours | 5 | 3,407 | 3,403 | 3,524 | 3,234 | 3,524 |');
  const verdicts = [...report.matchAll(/^\| ([a-z, ]+) \| [^|]+ \| \*\*(PASS|FAIL)\*\* \| ([^|]+) \|/gm)];
  expect(verdicts.map(([, criterion, verdict]) => [criterion, verdict])).toEqual([
    ['cold start', 'PASS'],
    ['warm read, wall time', 'FAIL'],
    ['warm write, wall time', 'PASS'],
    ['simultaneous reads', 'FAIL'],
    ['simultaneous writes', 'FAIL'],
  ]);
  expect(report).toContain('4 of 5 landed');
  expect(report).toContain('- ours, once: ThrottlingException: slow down');
});

test('beside dulwich the ratio of the medians is told, and what was not measured is no pass', async () => {
  const report = await reportOf(entry('ours', 'read', [10, 20, 30]), entry('dulwich', 'read', [50, 60, 70]));
  expect(report).toContain('| warm read | 3 | 3 | 3 of 3 / 3 of 3 |');
  expect(report).toContain('| cold start | < 5000 ms | **not measured** |');
});
