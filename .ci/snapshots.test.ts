import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const VITEST = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs');
const SOURCE = `
  test('kept beside it', () => { expect(1).toMatchSnapshot(); });
  test('kept in a file', async () => { await expect('1').toMatchFileSnapshot('./one.txt'); });
  test('kept in the test', () => { expect(1).toMatchInlineSnapshot(); });
`;

test('a snapshot that is missing fails in `.ci/run`, and is not written', () => {
  const [, given = ''] =
    /^REPORTED=\((.*)\)$/m.exec(readFileSync(join(import.meta.dirname, 'run'), 'utf8')) ?? [];
  const update = given.split(' ').filter((option) => option.startsWith('--update'));
  const directory = mkdtempSync(join(tmpdir(), 'pagetree-snapshots-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, 'missing.test.js'), SOURCE);
  const { CI: _, ...env } = process.env;
  const options = ['run', '--globals', '--root', directory, ...update];
  const { stdout } = spawnSync(process.execPath, [VITEST, ...options], { env: { ...env, NO_COLOR: '1' } });
  expect(`${stdout}`).toMatch(/Tests {2}3 failed \(3\)/);
  const made = readdirSync(directory).filter((name) => name !== 'node_modules');
  expect(made).toEqual(['missing.test.js']);
  expect(readFileSync(join(directory, 'missing.test.js'), 'utf8')).toBe(SOURCE);
});
