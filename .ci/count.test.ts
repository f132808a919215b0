import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LEFT_BEHIND } from './results.mjs';
import {
  count,
  counted,
  directory,
  failed,
  file,
  printed,
  run,
  secondTries,
  steps,
  withoutEnd,
} from './run-reports.ts';

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

test('a file that leaves something behind has failed, even if it does not when it runs alone', async () => {
  await steps('tests test 1');
  const again = `test 0 again-1.events ${directory}/a`;
  await run('again-1', file('a', ['passed']));
  await secondTries(again);
  await run('test', file('a', ['passed'], [`Error: ${LEFT_BEHIND}\n1 were left open`]));
  expect(failed()).toEqual([]);
  expect(count()).toEqual({ last: '1 passed, 1 failed', status: 1 });
  // What a failed test or hook did not come to close is no fault of its own.
  await run('test', file('a', ['failed'], [`Error: ${LEFT_BEHIND}\n1 were left open`]));
  expect(failed()).toEqual([`test ${directory}/a`]);
  expect(count()).toEqual({ last: '1 passed, 0 failed', status: 0 });
  await run('test', file('a', ['passed'], ['Error: no room', `Error: ${LEFT_BEHIND}\n1 were left open`]));
  expect(count()).toEqual({ last: '1 passed, 0 failed', status: 0 });
});

test('an error outside of any test fails, even if the file that it is blamed on passes alone', async () => {
  await steps('tests test 1');
  const late = { at: 9_000, file: `${directory}/b`, kind: 'unhandled', messages: ['expected 1 to be 2'] };
  await run('test', file('a', ['passed']), file('b', ['passed']), [late]);
  await run('again-1', file('b', ['passed']));
  await secondTries(`test 0 again-1.events ${directory}/b`);
  expect(failed()).toEqual([]);
  expect(count()).toEqual({ last: '2 passed, 1 failed', status: 1 });
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
