import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/*
 * node count.mjs DIRECTORY: reads the steps (`KIND NAME STATUS` in each line of DIRECTORY/steps) and vitest's report of
 * those of the kind `tests` (DIRECTORY/NAME.json), prints the time of each file that took a second, what failed, and at last
 * `N passed, N failed`. Ends with 1 if anything failed. Runs on any Node, as the machine may have no other.
 *
 * A run that was stopped has no report: then the lines of progress.mjs (DIRECTORY/NAME.progress) say what it did until then.
 *
 * What failed stands at the end because a reader of a long log may be given its end only.
 */
const MAX_MESSAGE_LINES = 30;

const failures = [];
const [directory] = process.argv.slice(2);
const steps = readFileSync(join(directory, 'steps'), 'utf8').trim().split('\n');
const counts = steps.map((line) => {
  const [kind, name, status] = line.split(' ');
  const { passed, failed } = kind === 'tests' ? countTests(name) : countStep(status);
  if (status !== '0') failures.push(`${name} ended with ${status}`);
  // What failed outside of any test, such as an unhandled rejection, or a run that was stopped.
  return { passed, failed: status !== '0' && failed === 0 ? 1 : failed };
});
const passed = sum(counts.map((count) => count.passed));
const failed = sum(counts.map((count) => count.failed));
for (const failure of failures) process.stdout.write(`\nFAILED: ${failure}\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

function countStep(status) {
  return status === '0' ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

function countTests(name) {
  const path = join(directory, `${name}.json`);
  if (!existsSync(path)) {
    failures.push(`${name} left no report of its tests`);
    return countProgress(join(directory, `${name}.progress`));
  }
  const report = JSON.parse(readFileSync(path, 'utf8'));
  for (const { name, startTime, endTime } of report.testResults) printTime(name, endTime - startTime);
  const filesThatDidNotLoad = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((result) => result.status !== 'failed'),
  );
  for (const { name, message } of filesThatDidNotLoad)
    failures.push(`${basename(name)}\n${shorten(message)}`);
  for (const { name, assertionResults } of report.testResults) {
    for (const { status, fullName, failureMessages } of assertionResults) {
      if (status === 'passed') continue;
      failures.push(`${basename(name)} > ${fullName} (${status})\n${shorten(failureMessages.join('\n'))}`);
    }
  }
  const notPassed = report.numTotalTests - report.numPassedTests;
  return { passed: report.numPassedTests, failed: notPassed + filesThatDidNotLoad.length };
}

/** Counts the tests that ended, and the run that did not as one more failure. */
function countProgress(path) {
  const events = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').flatMap(eventsIn) : [];
  const started = new Map();
  for (const { name, at, ...event } of events) {
    if (event.started) started.set(name, at);
    if (!event.ended) continue;
    printTime(name, at - started.get(name));
    started.delete(name);
  }
  const last = events.at(-1)?.at;
  for (const [name, at] of started)
    failures.push(`${basename(name)} had not ended after ${Math.round((last - at) / 1000)} s`);
  const tests = events.filter(({ test }) => test !== undefined);
  const others = tests.filter(({ state }) => state !== 'passed');
  for (const { name, test, state, messages } of others)
    failures.push(`${basename(name)} > ${test} (${state})\n${shorten(messages.join('\n'))}`);
  return { passed: tests.length - others.length, failed: others.length + 1 };
}

/** A process that was killed may have left half a line. */
function eventsIn(line) {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

function printTime(name, milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds >= 1) process.stdout.write(`${seconds.toFixed(1).padStart(8)} s  ${basename(name)}\n`);
}

/** The first lines of a message: a difference between two long values may have thousands. */
function shorten(message) {
  return message.split('\n').slice(0, MAX_MESSAGE_LINES).join('\n');
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
