import { resolve } from 'node:path';
import { readSecondTries, readSteps, readTestCounts } from './results.mjs';

/*
 * node count.mjs DIRECTORY MAX COUNTS: prints the ten files that took longest, which files passed only at their second
 * try, what failed, and at last `N passed, N failed`. Ends with 1 if anything failed, if more than MAX files needed a
 * second try, or if a step has fewer tests than the file COUNTS says.
 *
 * What failed stands at the end because a reader of a long log may be given its end only.
 */
const MAX_MESSAGE_LINES = 30;
const LONGEST_FILES = 10;

const [directory, max, testCounts] = process.argv.slice(2);
const secondTries = readSecondTries(directory);
const steps = readSteps(directory);
const unstable = [];
const failures = [];
const total = { passed: 0, failed: 0 };
const fewest = readTestCounts(testCounts);

for (const step of steps) {
  const count = step.kind === 'tests' ? countTests(step) : { passed: step.status === '0' ? 1 : 0, failed: 0 };
  // A file that fails lets vitest end with 1. It ends otherwise if it hung or was killed, which no file explains.
  const isExplained = step.status === '0' || count.failed > 0 || (step.status === '1' && count.unstable > 0);
  if (!isExplained) fail(count, `${step.name} ended with ${step.status}`, '');
  // Otherwise tests are missing because of what failed.
  if (step.kind === 'tests' && count.failed === 0) holdNumber(step.name, count);
  total.passed += count.passed;
  total.failed += count.failed;
}
for (const name of fewest.keys()) {
  if (!steps.some((step) => step.name === name)) fail(total, `${name} was not run`, '');
}
if (unstable.length > Number(max)) {
  fail(total, `${unstable.length} files are unstable`, `More than ${max} are the code, and not the machine.`);
}

printLongest();
for (const { file, failure } of unstable) print(`unstable: ${file}`, failure);
for (const { what, failure } of failures) print(`FAILED: ${what}`, failure);
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 ? 0 : 1;

function countTests({ name, run }) {
  const count = { passed: 0, failed: 0, unstable: 0 };
  if (!run.finished) fail(count, `${name} left no report of its end`, '');
  for (const message of run.lost) fail(count, `${name}, an error outside of any test`, message);
  for (const [path, file] of run.files) {
    const again = secondTries.find((tried) => tried.name === name && resolve(tried.file) === path);
    if (file.failures.length === 0) {
      count.passed += file.passed;
    } else if (!file.isNoChance && again !== undefined && hasPassed(again)) {
      for (const tried of again.run.files.values()) count.passed += tried.passed;
      count.unstable += 1;
      unstable.push({ file: shown(path), failure: file.failures.join('\n') });
    } else {
      count.passed += file.passed;
      count.failed += file.failed;
      for (const failure of file.failures) failures.push({ what: shown(path), failure });
      if (again !== undefined) failures.push({ what: `${shown(path)}, alone`, failure: textOf(again) });
    }
  }
  return count;
}

function holdNumber(name, count) {
  const least = fewest.get(name) ?? 1;
  if (count.passed > least) process.stdout.write(`${name}: ${count.passed} tests, of at least ${least}\n`);
  if (count.passed >= least) return;
  const next = `Add a line to ${shown(testCounts)} that says why, if they are meant to be gone.`;
  fail(count, `${name} has ${count.passed} tests, fewer than ${least}`, next);
}

function hasPassed({ status, run }) {
  const files = [...run.files.values()];
  return status === '0' && run.finished && files.length === 1 && files[0].failures.length === 0;
}

function textOf({ status, run }) {
  const found = [...run.files.values()].flatMap((file) => file.failures);
  return found.length > 0 ? found.join('\n') : `it ended with ${status}`;
}

function fail(count, what, failure) {
  count.failed += 1;
  failures.push({ what, failure });
}

function printLongest() {
  const files = steps.flatMap(({ run }) => (run === null ? [] : [...run.files]));
  const longest = files.toSorted(([, a], [, b]) => b.seconds - a.seconds).slice(0, LONGEST_FILES);
  for (const [path, { seconds }] of longest) {
    process.stdout.write(`${seconds.toFixed(1).padStart(8)} s  ${shown(path)}\n`);
  }
}

/** Prints the first lines of a message: a difference between two long values may have thousands. */
function print(title, message) {
  const lines = message.split('\n').slice(0, MAX_MESSAGE_LINES).join('\n');
  process.stdout.write(`\n${title}\n${lines}\n`);
}

function shown(path) {
  return path.startsWith(`${process.cwd()}/`) ? path.slice(process.cwd().length + 1) : path;
}
