import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pagetree-count-'));
});

afterEach(() => rm(directory, { recursive: true }));

test('the count sums the tests of all reports, and adds one for each other step', async () => {
  await steps('tests test 0', 'check lint 0', 'tests labs 0');
  await report('test', ['passed', 'passed']);
  await report('labs', ['passed']);
  expect(count()).toEqual({ last: '4 passed, 0 failed', status: 0 });
});

test('a failed step is one failure', async () => {
  await steps('tests test 0', 'check lint 1');
  await report('test', ['passed']);
  expect(count()).toEqual({ last: '1 passed, 1 failed', status: 1 });
});

test('a failed test counts once, although its step failed too', async () => {
  await steps('tests test 1');
  await report('test', ['passed', 'failed']);
  expect(count()).toEqual({ last: '1 passed, 1 failed', status: 1 });
});

test('a skipped test counts as failed', async () => {
  await steps('tests labs 0');
  await report('labs', ['passed', 'pending', 'todo']);
  expect(count()).toEqual({ last: '1 passed, 2 failed', status: 1 });
});

test('a test file that does not load counts as failed', async () => {
  await steps('tests test 1');
  await report('test', []);
  expect(count()).toEqual({ last: '0 passed, 1 failed', status: 1 });
});

test('tests that passed but left no report count as failed', async () => {
  await steps('tests test 0', 'check lint 0');
  expect(count()).toEqual({ last: '1 passed, 1 failed', status: 1 });
  expect(printed()).toContain('FAILED: test left no report of its tests');
});

test('of a run that was stopped, the tests that ended count, and the files that had not ended are named', async () => {
  await steps('tests labs 124');
  await progress(
    { at: 1_000, name: '/clone/a.test.ts', started: true },
    { at: 2_000, name: '/clone/b.test.ts', started: true },
    { at: 3_000, name: '/clone/a.test.ts', test: 'is well', state: 'passed', messages: [] },
    {
      at: 4_000,
      name: '/clone/a.test.ts',
      test: 'is not',
      state: 'failed',
      messages: ['expected 1 to be 2'],
    },
    { at: 5_500, name: '/clone/a.test.ts', ended: true },
    { at: 9_000, name: '/clone/b.test.ts', test: 'is well too', state: 'passed', messages: [] },
  );
  expect(count()).toEqual({ last: '2 passed, 2 failed', status: 1 });
  expect(printed()).toContain('4.5 s  a.test.ts\n');
  expect(printed()).toContain('FAILED: b.test.ts had not ended after 7 s\n');
  expect(printed()).toContain('FAILED: a.test.ts > is not (failed)\nexpected 1 to be 2\n');
});

test('the reporter of progress writes what the count reads, also of a run that is killed', async () => {
  const tests = "test('is well', () => {}); test('waits', () => new Promise(() => {}), 60_000);";
  await writeFile(join(directory, 'slow.test.js'), tests);
  await steps('tests labs 124');
  const reporter = fileURLToPath(new URL('./progress.mjs', import.meta.url));
  const path = join(directory, 'labs.progress');
  const options = ['--globals', '--root', directory, '--reporter', reporter, `--outputFile.progress=${path}`];
  const vitest = spawn(process.execPath, [VITEST, 'run', ...options], { stdio: 'ignore' });
  await vi.waitFor(async () => expect(await readFile(path, 'utf8')).toContain('passed'), 30_000);
  vitest.kill('SIGKILL');
  await once(vitest, 'exit');
  expect(count()).toEqual({ last: '1 passed, 1 failed', status: 1 });
  expect(printed()).toContain('FAILED: slow.test.js had not ended');
}, 30_000);

test('a run counts as failed if it failed outside its tests or was stopped before its report', async () => {
  await steps('tests test 1', 'tests labs 124');
  await report('test', ['passed']);
  expect(count()).toEqual({ last: '1 passed, 2 failed', status: 1 });
});

test('failures are named before the last line, with the beginning of their messages', async () => {
  await steps('tests test 1', 'check lint 0');
  await report('test', ['passed', 'failed']);
  expect(printed()).toContain(
    '\nFAILED: a.test.ts > this failed test (failed)\nexpected 1 to be 2\n\nFAILED: test ended with 1\n2 passed',
  );
});

test('at most thirty lines of a message are printed', async () => {
  await steps('tests test 1');
  await report('test', ['failed'], 'line\n'.repeat(1_000));
  expect(
    printed()
      .split('\n')
      .filter((line) => line === 'line'),
  ).toHaveLength(30);
});

async function progress(...events: object[]): Promise<void> {
  const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
  // The last line is half of one.
  await writeFile(join(directory, 'labs.progress'), `${lines}{"at":9`);
}

async function steps(...lines: string[]): Promise<void> {
  await writeFile(join(directory, 'steps'), `${lines.join('\n')}\n`);
}

/** Vitest's record of one file with these tests; a file without tests did not load. */
async function report(name: string, statuses: string[], message = 'expected 1 to be 2'): Promise<void> {
  const didNotPass = statuses.length === 0 || statuses.includes('failed');
  const file = {
    name: '/clone/a.test.ts',
    status: didNotPass ? 'failed' : 'passed',
    startTime: 0,
    endTime: 1500,
    message: statuses.length === 0 ? message : '',
    assertionResults: statuses.map((status) => ({
      status,
      fullName: `this ${status} test`,
      failureMessages: status === 'failed' ? [message] : [],
    })),
  };
  const numPassedTests = statuses.filter((status) => status === 'passed').length;
  const whole = { numTotalTests: statuses.length, numPassedTests, testResults: [file] };
  await writeFile(join(directory, `${name}.json`), JSON.stringify(whole));
}

function count() {
  const { stdout, status } = run();
  return { last: stdout.trim().split('\n').at(-1), status };
}

function printed(): string {
  return run().stdout;
}

function run() {
  const program = fileURLToPath(new URL('./count.mjs', import.meta.url));
  return spawnSync(process.execPath, [program, directory], { encoding: 'utf8' });
}
