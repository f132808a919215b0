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

test('the published times give the published summary and verdicts', async () => {
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

test("the report gives the ratio of the medians to dulwich's, and a missing measurement is not a pass", async () => {
  const report = await reportOf(entry('ours', 'read', [10, 20, 30]), entry('dulwich', 'read', [50, 60, 70]));
  expect(report).toContain('| warm read | 3 | 3 | 3 of 3 / 3 of 3 |');
  expect(report).toContain('| cold start | < 5000 ms | **not measured** |');
});

test('a cold start of 5 s fails, one just below passes, and the empty function counts for neither', async () => {
  const at = async (time: number) => reportOf(entry('ours', 'cold', [time]), entry('empty', 'cold', [3000]));
  expect(await at(5000)).toContain('| cold start | < 5000 ms | **FAIL** |');
  expect(await at(4999)).toContain('| cold start | < 5000 ms | **PASS** |');
});

test('a target that the empty function alone misses is out of reach, any other is reached or missed', async () => {
  const reads = (ours: number, dulwich: number, empty: number) =>
    reportOf(
      entry('ours', 'read', [2 * ours]),
      entry('dulwich', 'read', [2 * dulwich]),
      entry('empty', 'read', [2 * empty]),
    );
  const target = "| a warm read at least 5 times faster than dulwich's |";
  expect(await reads(15, 27, 9)).toContain(
    `${target} 5.4 | 9 | 15 | 27 | **out of reach here**: a function that does nothing takes 9 ms, and 5.4 ms are allowed |`,
  );
  expect(await reads(15, 60, 9)).toContain(`${target} 12 | 9 | 15 | 60 | **missed** |`);
  expect(await reads(12, 60, 9)).toContain(`${target} 12 | 9 | 12 | 60 | **reached** |`);
  expect(await reads(12, 60, 9)).toContain(
    "| a cold start not slower than dulwich's |  |  |  |  | **not measured** |",
  );
});

test('the parts of warm reads and of cold starts are reported by system', async () => {
  const calls = [1, 3].map((head) => ({
    function_ms: 10,
    wall_ms: 12,
    cold: null,
    warm: { head, 'rest of the handler': 4 },
  }));
  const report = await reportOf(entry('ours', 'read', [], { calls }), entry('empty', 'cold', [3000]));
  expect(report).toMatch(/## What a warm read is made of[^#]*\| ours \| head \| 2 \| 2 \| 1 \| 3 \|/);
  expect(report).not.toContain('| warm read | function | empty |');
});
