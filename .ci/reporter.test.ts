import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { count, directory, failed, file, printed, run, secondTries, steps } from './run-reports.ts';

const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));

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
  expect(failed()).toHaveLength(2);
});

test('the reporter and the count know what a file leaves behind', async () => {
  await steps('tests test 1');
  const setup = fileURLToPath(new URL('./left-behind.mjs', import.meta.url));
  const path = join(directory, 'leaving.test.js');
  await writeFile(path, `import '${setup}'; test('changes', () => { process.env.LEFT = 'yes'; });`);
  await once(vitest('test'), 'exit');
  await run('again-1', file('leaving.test.js', ['passed']));
  await secondTries(`test 0 again-1.events ${path}`);
  expect(failed()).toEqual([]);
  expect(count()).toEqual({ last: '1 passed, 1 failed', status: 1 });
  expect(printed('count')).toContain('LEFT');
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
