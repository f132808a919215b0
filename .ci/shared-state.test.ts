import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const SETUP = fileURLToPath(new URL('./left-behind.mjs', import.meta.url));

const LEAVING = {
  'a-sets': "test('sets', () => { process.env.LEFT_A = 'a'; });",
  'b-changes': "test('changes', () => { process.env.GIVEN = 'other'; });",
  'c-removes': "test('removes', () => { delete process.env.GIVEN; });",
  'd-stops': "test('stops', () => { vi.useFakeTimers(); });",
  'd-sets': "test('sets the clock', () => { vi.setSystemTime(0); });",
  'f-replaces': "test('replaces', () => { Date.now = () => 0; });",
  'd-moves': "test('moves', () => { process.chdir('/'); });",
  'd-both': `import { openSync } from 'node:fs';
    test('leaves two', () => { process.env.LEFT_B = 'b'; openSync('.', 'r'); });`,
};
const TIDY = {
  'e-stubs': `test('stubs', () => {
    vi.stubEnv('GIVEN', 'other');
    vi.stubEnv('NEW', 'new');
    vi.stubGlobal('fetch', null);
  });`,
  'f-restores': `test('restores', () => {
    process.env.GIVEN = 'other';
    vi.useFakeTimers();
    onTestFinished(() => {
      process.env.GIVEN = 'given';
      vi.useRealTimers();
    });
  });`,
  'g-looks': `test('finds nothing changed', () => {
    expect(process.env).toMatchObject({ GIVEN: 'given' });
    expect(Object.keys(process.env)).not.toEqual(expect.arrayContaining([expect.stringMatching(/LEFT_|NEW/)]));
    expect(fetch).toBeTypeOf('function');
    expect(vi.isFakeTimers()).toBe(false);
    expect(String(Date)).toContain('[native code]');
    if (Date.now() === 0) throw new Error('The clock was stopped.');
    expect(process.cwd()).not.toBe('/');
  });`,
};

test('a test file that leaves the environment or the clock changed fails, and the next finds them whole', async ({
  onTestFinished,
}) => {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'pagetree-shared-state-')));
  onTestFinished(() => rm(directory, { recursive: true }));
  for (const [name, source] of Object.entries({ ...LEAVING, ...TIDY }))
    await writeFile(join(directory, `${name}.test.js`), source);
  // As vitest does with the number of its worker.
  const perFile = join(directory, 'per-file.mjs');
  await writeFile(perFile, 'process.env.PER_FILE = String(Number(process.env.PER_FILE ?? 0) + 1);');
  const config = { globals: true, setupFiles: [perFile, SETUP], isolate: false, maxWorkers: 1 };
  await writeFile(
    join(directory, 'vitest.config.mjs'),
    `export default { test: { ...${JSON.stringify(config)}, sequence: { sequencer: class { sort(files) { return files.toSorted((a, b) => a.moduleId.localeCompare(b.moduleId)); } shard(files) { return files; } } } } };`,
  );
  const env = { ...process.env, NO_COLOR: '1', GIVEN: 'given' };
  const run = promisify(execFile)(process.execPath, [VITEST, 'run', '--root', directory], { env });
  const { code, stdout, stderr } = await run.catch((error) => error);
  expect(code).toBe(1);
  expect(stdout).toContain('Test Files  8 failed | 3 passed (11)');
  for (const left of ['LEFT_A', 'GIVEN', 'fake timers', 'the clock', 'the folder of the process'])
    expect(stderr).toContain(`These were left behind: ${left}\n`);
  expect(stderr).toMatch(
    /These were left behind: LEFT_B\n1 were left open, among them:\n\., by "leaves two"/,
  );
});
