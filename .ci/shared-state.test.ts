import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const SETUP = fileURLToPath(new URL('./shared-state.mjs', import.meta.url));

const LEAVING = {
  'a-sets': "test('sets', () => { process.env.LEFT_A = 'a'; });",
  'b-changes': "test('changes', () => { process.env.GIVEN = 'other'; });",
  'c-removes': "test('removes', () => { delete process.env.GIVEN; });",
  'd-stops': "test('stops', () => { vi.useFakeTimers(); });",
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
    expect(Object.keys(process.env)).not.toEqual(expect.arrayContaining([expect.stringMatching(/LEFT_A|NEW/)]));
    expect(fetch).toBeTypeOf('function');
    expect(vi.isFakeTimers()).toBe(false);
  });`,
};

test('a test file that leaves the environment or the clock changed fails, and the next finds them whole', async ({
  onTestFinished,
}) => {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'pagetree-shared-state-')));
  onTestFinished(() => rm(directory, { recursive: true }));
  for (const [name, source] of Object.entries({ ...LEAVING, ...TIDY }))
    await writeFile(join(directory, `${name}.test.js`), source);
  const config = { globals: true, setupFiles: SETUP, isolate: false, maxWorkers: 1 };
  await writeFile(
    join(directory, 'vitest.config.mjs'),
    `export default { test: { ...${JSON.stringify(config)}, sequence: { sequencer: class { sort(files) { return files.toSorted((a, b) => a.moduleId.localeCompare(b.moduleId)); } shard(files) { return files; } } } } };`,
  );
  const env = { ...process.env, NO_COLOR: '1', GIVEN: 'given' };
  const run = promisify(execFile)(process.execPath, [VITEST, 'run', '--root', directory], { env });
  const { code, stdout, stderr } = await run.catch((error) => error);
  expect(code).toBe(1);
  expect(stdout).toContain('Test Files  4 failed | 3 passed (7)');
  for (const left of ['LEFT_A', 'GIVEN', 'fake timers'])
    expect(stderr).toContain(`These were left behind: ${left}\n`);
});
