import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/*
 * node count.mjs DIRECTORY: reads the steps (`NAME STATUS` in each line of DIRECTORY/steps) and vitest's report of
 * those that have one (DIRECTORY/NAME.json), prints the time of each file that took a second, then `N passed, N failed`.
 * Ends with 1 where anything failed. Runs on any Node, as the machine may have no other.
 */
const [directory] = process.argv.slice(2);
const steps = readFileSync(join(directory, 'steps'), 'utf8').trim().split('\n');
const counts = steps.map((line) => {
  const [name, status] = line.split(' ');
  const report = join(directory, `${name}.json`);
  const { passed, failed } = existsSync(report) ? countTests(report) : countStep(status);
  // What failed outside of any test, such as an unhandled rejection, or a run that was stopped.
  return { passed, failed: status !== '0' && failed === 0 ? 1 : failed };
});
const passed = sum(counts.map((count) => count.passed));
const failed = sum(counts.map((count) => count.failed));
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

function countStep(status) {
  return status === '0' ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

function countTests(path) {
  const report = JSON.parse(readFileSync(path, 'utf8'));
  for (const { name, startTime, endTime } of report.testResults) {
    const seconds = (endTime - startTime) / 1000;
    if (seconds >= 1) process.stdout.write(`${seconds.toFixed(1).padStart(8)} s  ${basename(name)}\n`);
  }
  const filesThatDidNotLoad = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((result) => result.status !== 'failed'),
  );
  const notPassed = report.numTotalTests - report.numPassedTests;
  return { passed: report.numPassedTests, failed: notPassed + filesThatDidNotLoad.length };
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
