import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pagetree-count-'));
});

afterEach(() => rm(directory, { recursive: true }));

test('tests are summed over all reports, and each other step is one', async () => {
  await steps('test 0', 'lint 0', 'labs 0');
  await report('test', ['passed', 'passed']);
  await report('labs', ['passed']);
  expect(count()).toEqual({ last: '4 passed, 0 failed', status: 0 });
});

test('a failed step is one failure', async () => {
  await steps('test 0', 'lint 1');
  await report('test', ['passed']);
  expect(count()).toEqual({ last: '1 passed, 1 failed', status: 1 });
});

test('a failed test is counted once, though its step failed too', async () => {
  await steps('test 1');
  await report('test', ['passed', 'failed']);
  expect(count()).toEqual({ last: '1 passed, 1 failed', status: 1 });
});

test('a skipped test counts as failed', async () => {
  await steps('labs 0');
  await report('labs', ['passed', 'pending', 'todo']);
  expect(count()).toEqual({ last: '1 passed, 2 failed', status: 1 });
});

test('a test file that does not load counts as failed', async () => {
  await steps('test 1');
  await report('test', []);
  expect(count()).toEqual({ last: '0 passed, 1 failed', status: 1 });
});

test('a run that failed beside its tests, or was stopped before its report, counts as failed', async () => {
  await steps('test 1', 'labs 124');
  await report('test', ['passed']);
  expect(count()).toEqual({ last: '1 passed, 2 failed', status: 1 });
});

async function steps(...lines: string[]): Promise<void> {
  await writeFile(join(directory, 'steps'), `${lines.join('\n')}\n`);
}

/** What vitest writes for one file with these tests; one without tests did not load. */
async function report(name: string, statuses: string[]): Promise<void> {
  const didNotPass = statuses.length === 0 || statuses.includes('failed');
  const file = {
    name: '/clone/a.test.ts',
    status: didNotPass ? 'failed' : 'passed',
    startTime: 0,
    endTime: 1500,
    assertionResults: statuses.map((status) => ({ status })),
  };
  const numPassedTests = statuses.filter((status) => status === 'passed').length;
  const whole = { numTotalTests: statuses.length, numPassedTests, testResults: [file] };
  await writeFile(join(directory, `${name}.json`), JSON.stringify(whole));
}

function count() {
  const program = fileURLToPath(new URL('./count.mjs', import.meta.url));
  const { stdout, status } = spawnSync(process.execPath, [program, directory], { encoding: 'utf8' });
  return { last: stdout.trim().split('\n').at(-1), status };
}
