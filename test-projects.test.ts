import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { relative } from 'node:path';
import { expect, test } from 'vitest';
import { ONLY_IN_FULL_RUNS, SHARING_MODULES } from './vitest.config.ts';
import { GATE } from './vitest.gate.config.ts';
import { ALONE, TIMELESS } from './vitest.labs.config.ts';

const CONFIGURATIONS = ['vitest.full.config.ts', 'vitest.labs.config.ts'];

test('every test file is run by exactly one vitest configuration', () => {
  const committed = lines('git', [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    '*.test.*',
    '*.spec.*',
  ]);
  const run = CONFIGURATIONS.flatMap((config) => {
    const listed = execFileSync(process.execPath, [
      'node_modules/vitest/vitest.mjs',
      'list',
      '--filesOnly',
      '--json',
      `--config=${config}`,
    ]);
    const files: { file: string }[] = JSON.parse(`${listed}`);
    return files.map(({ file }) => relative(import.meta.dirname, file));
  });
  expect(run.toSorted()).toEqual(committed.toSorted());
});

test('every pattern of a list of tests matches a file, with each of its alternatives', () => {
  const patterns = [...ALONE, ...TIMELESS, ...GATE, ...ONLY_IN_FULL_RUNS, ...SHARING_MODULES];
  expect(patterns.flatMap(alternatives).filter((pattern) => globSync(pattern).length === 0)).toEqual([]);
});

/** `x/{a,b}` as `x/a` and `x/b`. */
function alternatives(pattern: string): string[] {
  const [braces, inside] = /\{([^{}]*)\}/.exec(pattern) ?? [];
  if (braces === undefined || inside === undefined) return [pattern];
  return inside.split(',').flatMap((each) => alternatives(pattern.replace(braces, () => each)));
}

function lines(command: string, args: readonly string[]): string[] {
  return execFileSync(command, args, { encoding: 'utf8' }).split('\n').filter(Boolean);
}
