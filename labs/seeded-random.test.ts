import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const VITEST = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs');
const HELPER = join(import.meta.dirname, 'seeded-random.ts');

test('a test that fails names its seed, and with that it chooses the same again', () => {
  const directory = mkdtempSync(join(tmpdir(), 'pagetree-seeds-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(
    join(directory, 'one.test.js'),
    `import { testRandom } from ${JSON.stringify(HELPER)};
     test('chooses', () => { expect(testRandom()()).toBe(2); });`,
  );
  const run = (seed?: string) => {
    const { PAGETREE_SEED: _, ...env } = process.env;
    const options = ['run', '--globals', '--root', directory];
    const given = seed === undefined ? {} : { PAGETREE_SEED: seed };
    const { stderr } = spawnSync(process.execPath, [VITEST, ...options], { env: { ...env, ...given } });
    return {
      chosen: /expected (0\.\d+) to be 2/.exec(`${stderr}`)?.[1],
      seed: /PAGETREE_SEED=(\d+) chooses the same again/.exec(`${stderr}`)?.[1],
    };
  };
  const first = run();
  expect(first.chosen).toBeDefined();
  expect(run(first.seed)).toEqual(first);
  expect(run(`${Number(first.seed) + 1}`).chosen).not.toBe(first.chosen);
});
