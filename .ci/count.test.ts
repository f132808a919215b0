import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readTestCounts } from './results.mjs';

const RUN = fileURLToPath(new URL('./run', import.meta.url));
const COUNTS = fileURLToPath(new URL('./test-counts', import.meta.url));
const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));

let directory: string;

beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'pagetree-count-')));
  await counted();
});

afterEach(() => rm(directory, { recursive: true }));

test('the count sums the tests of all runs, and adds one for each other step', async () => {
  await steps('tests test 0', 'check lint 0', 'tests labs 0');
  await run('test', file('a', ['passed', 'passed']));
  await run('labs', file('b', ['passed']));
  expect(count()).toEqual({ last: '4 passed, 0 failed', status: 0 });
});

test('a test that is reported again after its file has ended counts once', async () => {
  await steps('tests test 0');
  const again = {
    at: 9_000,
    file: `${directory}/a`,
    kind: 'test',
    test: 'test 0',
    state: 'passed',
    messages: [],
  };
  await run('test', file('a', ['passed', 'passed']), [again]);
  expect(count()).toEqual({ last: '2 passed, 0 failed', status: 0 });
});

test('a failed step is one failure', async () => {
  await steps('tests test 0', 'check lint 1');
  await run('test', file('a', ['passed']));
  expect(count()).toEqual({ last: '1 passed, 1 failed', status: 1 });
});

test('a failed test counts once, although its step failed too', async () => {
  await steps('tests test 1');
  await run('test', file('a', ['passed', 'failed']));
  expect(count()).toEqual({ last: '1 passed, 1 failed', status: 1 });
  expect(printed('count')).toContain(`\nFAILED: ${directory}/a\ntest 1 (failed)\nexpected 1 to be 2\n`);
});

test.each(['skipped', 'pending'])('a %s test counts as failed', async (state) => {
  await steps('tests test 0');
  await run('test', file('a', ['passed', state]));
  expect(count()).toEqual({ last: '1 passed, 1 failed', status: 1 });
});

test('a file that does not load counts as failed', async () => {
  await steps('tests test 1');
  await run('test', file('a', [], ['there is no such module']));
  expect(count()).toEqual({ last: '0 passed, 1 failed', status: 1 });
});

test('a step of tests without a report counts as failed, even if it ended with 0', async () => {
  await steps('tests test 0');
  expect(count()).toEqual({ last: '0 passed, 1 failed', status: 1 });
  expect(printed('count')).toContain('FAILED: test left no report of its end\n');
});

test('a step that ran no test counts as failed, even if it ended with 0', async () => {
  await steps('tests test 0');
  await run('test');
  expect(count()).toEqual({ last: '0 passed, 1 failed', status: 1 });
  expect(printed('count')).toContain('FAILED: test has 0 tests, fewer than 1\n');
});

test('fewer tests than were counted fail, until a line says why', async () => {
  await steps('tests test 0', 'tests labs 0');
  await run('test', file('a', ['passed', 'passed']));
  await run('labs', file('b', ['passed']));
  await counted('2026-11-27 test 2 at first', '2026-11-27 labs 1 at first');
  expect(count()).toEqual({ last: '3 passed, 0 failed', status: 0 });
  await counted('2026-11-27 test 3 at first', '2026-11-27 labs 1 at first');
  expect(count()).toEqual({ last: '3 passed, 1 failed', status: 1 });
  expect(printed('count')).toContain('FAILED: test has 2 tests, fewer than 3\n');
  await counted('2026-11-27 test 3 at first', '2026-11-28 test 2 one was there twice');
  expect(count()).toEqual({ last: '3 passed, 0 failed', status: 0 });
  await counted('2026-11-27 test 3 at first', '2026-11-28 test 2 ');
  expect(count()).toEqual({ last: '', status: 1 });
});

test('tests that did not run because something failed are not reported as missing too', async () => {
  await steps('tests test 1');
  await run('test', file('a', [], ['there is no such module']));
  await counted('2026-11-27 test 3 at first');
  expect(count()).toEqual({ last: '0 passed, 1 failed', status: 1 });
});

test.each(['labs', 'lint'])('a step that was counted and did not run has failed: %s', async (name) => {
  await steps('tests test 0');
  await run('test', file('a', ['passed']));
  await counted(`2026-11-27 ${name} 1 at first`);
  expect(count()).toEqual({ last: '1 passed, 1 failed', status: 1 });
  expect(printed('count')).toContain(`FAILED: ${name} was not run\n`);
});

test('each step of the run has a number, also one without tests, and no other', () => {
  const run = readFileSync(RUN, 'utf8');
  const named = [...run.matchAll(/^(?:step check|tests) (\S+) /gm)].map(([, name]) => name);
  expect(named).toEqual(['install', 'test', 'lint', 'types', 'dead', 'labs']);
  expect([...readTestCounts(COUNTS).keys()].toSorted()).toEqual(named.toSorted());
});

test('a run that was stopped counts what ended, and names what had not', async () => {
  await steps('tests labs 124');
  const begun = [{ at: 3_000, file: `${directory}/b`, kind: 'started' }];
  await run('labs', file('a', ['passed']), begun, [{ at: 9_000, file: `${directory}/c`, kind: 'started' }]);
  await writeFile(join(directory, 'labs.events'), `${await withoutEnd('labs')}{"at":9`);
  expect(count()).toEqual({ last: '1 passed, 3 failed', status: 1 });
  expect(printed('count')).toContain(`FAILED: ${directory}/b\nit had not ended after 6 s\n`);
  expect(failed()).toEqual([]);
});

test('a run that failed outside its tests counts as failed', async () => {
  await steps('tests test 1', 'tests labs 1');
  await run('test', file('a', ['passed']));
  await run('labs', file('b', ['passed']), [{ at: 9, kind: 'unhandled', messages: ['lost'] }]);
  expect(count()).toEqual({ last: '2 passed, 2 failed', status: 1 });
});

test('a file that passes at its second try has passed, but explains no run that was stopped', async () => {
  await steps('tests test 1');
  await run('test', file('a', ['passed', 'failed']), file('b', ['passed']));
  expect(failed()).toEqual([`test ${directory}/a`]);
  await run('again-1', file('a', ['passed', 'passed']));
  await secondTries(`test 0 again-1.events ${directory}/a`);
  expect(count()).toEqual({ last: '3 passed, 0 failed', status: 0 });
  expect(printed('count')).toContain(`unstable: ${directory}/a\ntest 1 (failed)\nexpected 1 to be 2\n`);
  await steps('tests test 124');
  expect(count()).toEqual({ last: '3 passed, 1 failed', status: 1 });
  expect(printed('count')).toContain('FAILED: test ended with 124\n');
});

test.each([
  ['failed again', ['passed', 'failed'], 0],
  ['ended with an error', ['passed', 'passed'], 1],
  ['ran no test', [], 0],
])('a file whose second try %s has failed', async (_, states, status) => {
  await steps('tests test 1');
  await run('test', file('a', ['passed', 'failed']));
  if (states.length > 0) await run('again-1', file('a', states));
  await secondTries(`test ${status} again-1.events ${directory}/a`);
  expect(count()).toEqual({ last: '1 passed, 1 failed', status: 1 });
});

test('more unstable files than allowed are one failure, and no more than that are tried again', async () => {
  await steps('tests test 1');
  const names = ['a', 'b', 'c', 'd'];
  await run('test', ...names.slice(0, 3).map((name) => file(name, ['failed'])));
  expect(failed()).toHaveLength(3);
  await run('test', ...names.map((name) => file(name, ['failed'])));
  expect(failed()).toEqual([]);
  for (const name of names) await run(`again-${name}`, file(name, ['passed']));
  await secondTries(...names.map((name) => `test 0 again-${name}.events ${directory}/${name}`));
  expect(count()).toEqual({ last: '4 passed, 1 failed', status: 1 });
});

test('at most thirty lines of a message are printed', async () => {
  await steps('tests test 1');
  await run('test', file('a', [], ['line\n'.repeat(1_000)]));
  expect(printed('count').match(/^line$/gm)).toHaveLength(30);
});

test('the reporter writes what the count reads', async () => {
  await steps('tests test 1');
  await writeFile(
    join(directory, 'mixed.test.js'),
    `test('is well', () => {});
     test.skip('is left out', () => {});
     test('is not', () => { throw new Error('not today'); });
     describe('a group', () => {
       beforeAll(() => { throw new Error('never set up'); });
       test('does not run', () => {});
     });`,
  );
  await writeFile(
    join(directory, 'unloaded.test.js'),
    `import './nowhere.js'; test('is unknown', () => {});`,
  );
  await writeFile(
    join(directory, 'late.test.js'),
    `test('leaves an error behind', () => { setTimeout(() => { throw new Error('too late'); }); });
     test('waits for it', () => new Promise((resolve) => setTimeout(resolve, 100)));`,
  );
  await once(vitest('test'), 'exit');
  expect(count()).toEqual({ last: '3 passed, 5 failed', status: 1 });
  for (const said of ['not today', 'never set up', 'nowhere.js', 'too late'])
    expect(printed('count')).toContain(said);
  expect(failed()).toHaveLength(3);
});

test('the reporter leaves what a run did until it was killed', async () => {
  await steps('tests test 137');
  const source = "test('is well', () => {}); test('waits', () => new Promise(() => {}), 600_000);";
  await writeFile(join(directory, 'slow.test.js'), source);
  const child = vitest('test');
  const events = () => readFile(join(directory, 'test.events'), 'utf8');
  await expect.poll(events).toContain('passed');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(count()).toEqual({ last: '1 passed, 2 failed', status: 1 });
  expect(printed('count')).toMatch(/FAILED: .*slow\.test\.js\nit had not ended/);
});

test('a file whose process died is tried once more, and has passed if it passes then', async () => {
  await steps('tests test 1');
  const path = join(directory, 'dying.test.js');
  await writeFile(path, `test('is the end of its process', () => process.kill(process.pid, 'SIGKILL'));`);
  await writeFile(join(directory, 'well.test.js'), `test('is well', () => {});`);
  await once(vitest('test'), 'exit');
  expect(failed()).toEqual([`test ${path}`]);
  expect(count()).toEqual({ last: '1 passed, 1 failed', status: 1 });
  expect(printed('count')).toMatch(/FAILED: .*dying\.test\.js\nWorker exited unexpectedly .*SIGKILL/);
  expect(printed('count')).not.toContain('it had not ended');
  await run('again-1', file('dying.test.js', ['passed']));
  await secondTries(`test 0 again-1.events ${path}`);
  expect(count()).toEqual({ last: '2 passed, 0 failed', status: 0 });
  expect(printed('count')).toMatch(/unstable: .*dying\.test\.js\nWorker exited unexpectedly/);
});

function vitest(name: string) {
  const reporter = fileURLToPath(new URL('./reporter.mjs', import.meta.url));
  const output = `--outputFile.events=${join(directory, `${name}.events`)}`;
  const options = ['--globals', '--root', directory, '--reporter', reporter, output];
  return spawn(process.execPath, [VITEST, 'run', ...options], { stdio: 'ignore' });
}

/** The numbers of tests that are kept. */
async function counted(...lines: string[]): Promise<void> {
  await writeFile(join(directory, 'test-counts'), lines.join('\n'));
}

async function steps(...lines: string[]): Promise<void> {
  await writeFile(join(directory, 'steps'), `${lines.join('\n')}\n`);
}

async function secondTries(...lines: string[]): Promise<void> {
  await writeFile(join(directory, 'again'), `${lines.join('\n')}\n`);
}

/** Writes the events of a run that came to its end. */
async function run(name: string, ...events: object[][]): Promise<void> {
  const lines = [...events.flat(), { at: 9_000, kind: 'finished' }].map((event) => JSON.stringify(event));
  await writeFile(join(directory, `${name}.events`), `${lines.join('\n')}\n`);
}

async function withoutEnd(name: string): Promise<string> {
  return (await readFile(join(directory, `${name}.events`), 'utf8')).replace(/.*finished.*\n/, '');
}

/** The events of a file with tests in these states, and with errors beside them. */
function file(name: string, states: string[], messages: string[] = []): object[] {
  const path = join(directory, name);
  const results = states
    .filter((state) => state === 'passed' || state === 'failed')
    .map((state, i) => {
      const errors = state === 'failed' ? ['expected 1 to be 2'] : [];
      return { at: 1_000, file: path, kind: 'test', test: `test ${i}`, state, messages: errors };
    });
  const passed = states.filter((state) => state === 'passed').length;
  const state = messages.length > 0 || states.includes('failed') ? 'failed' : 'passed';
  const ended = { at: 2_000, file: path, kind: 'ended', state, total: states.length, passed, messages };
  return [{ at: 500, file: path, kind: 'started' }, ...results, ended];
}

function count() {
  const { stdout, status } = program('count');
  return { last: stdout.trim().split('\n').at(-1), status };
}

function printed(name: string): string {
  return program(name).stdout;
}

/** The files to be tried again, as `STEP PATH`. */
function failed(): string[] {
  const lines = printed('failed').split('\n').filter(Boolean);
  return lines.map((line) => line.replace(/(?<= ).*\//, `${directory}/`));
}

function program(name: string) {
  const path = fileURLToPath(new URL(`./${name}.mjs`, import.meta.url));
  return spawnSync(process.execPath, [path, directory, '3', join(directory, 'test-counts')], {
    encoding: 'utf8',
  });
}
