import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readTestCounts } from './results.mjs';

const RUN = fileURLToPath(new URL('./run', import.meta.url));
const COUNTS = fileURLToPath(new URL('./test-counts', import.meta.url));

test('each step of the run has a number, also one without tests, and no other', () => {
  const run = readFileSync(RUN, 'utf8');
  const named = [...run.matchAll(/^(?:step check|tests) (\S+) /gm)].map(([, name]) => name);
  expect(named).toEqual(['install', 'test', 'lint', 'types', 'dead', 'labs']);
  expect([...readTestCounts(COUNTS).keys()].toSorted()).toEqual(named.toSorted());
});

test('every number that a commit ever had is still there', () => {
  const { stdout } = spawnSync('git', ['log', '--patch', '--format=', '--', 'test-counts'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  const numbers = (text: string, line: RegExp) => [...text.matchAll(line)].map(([, number]) => number);
  const present = numbers(readFileSync(COUNTS, 'utf8'), /^[\d-]+ (\S+ \d+) /gm);
  // Without git, as in an archive of the sources, there is nothing to compare with.
  const removed = numbers(stdout, /^-[\d-]{10} (\S+ \d+) /gm).filter((number) => !present.includes(number));
  expect(removed).toEqual([]);
});
