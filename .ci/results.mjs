import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * Reads what `.ci/run` leaves in its directory of reports. Runs on any Node, as the machine may have no other.
 *
 * steps: `KIND NAME STATUS` in each line, the kind `tests` or `check`.
 * NAME.events: the lines of reporter.mjs for a step of the kind `tests`.
 * again: `NAME STATUS EVENTS FILE` for each test file that was tried once more, alone.
 *
 * The number of tests of each step lies in `test-counts`, beside this file: `DATE NAME NUMBER REASON` in each line.
 */

/** The error of `left-behind.mjs` begins with this. */
export const LEFT_BEHIND = 'This test file leaves something behind.';

/** The steps: `{ kind, name, status }`, and `run` for those of tests. */
export function readSteps(directory) {
  return linesOf(join(directory, 'steps')).map((line) => {
    const [kind, name, status] = line.split(' ');
    const run = kind === 'tests' ? readRun(join(directory, `${name}.events`)) : null;
    return { kind, name, status, run };
  });
}

/** The second tries: `{ name, status, run, file }`. */
export function readSecondTries(directory) {
  return linesOf(join(directory, 'again')).map((line) => {
    const [name, status, events, ...file] = line.split(' ');
    return { name, status, run: readRun(join(directory, events)), file: file.join(' ') };
  });
}

/** How many tests each step must have at least, by its name: the last line for a step counts. Throws for other lines. */
export function readTestCounts(file) {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const [, name, number] = /^\d{4}-\d{2}-\d{2} (\S+) (\d+) \S.*$/.exec(line) ?? [];
      if (name === undefined) throw new Error(`${file}: not DATE NAME NUMBER REASON: ${line}`);
      return [name, Number(number)];
    }),
  );
}

/**
 * One run of vitest: `finished` if it came to its end, `files` by their names, and `lost`, errors that name no file. A
 * file has passed if each of its tests has passed, and nothing failed beside them: a skipped test has not passed. A
 * failure `isNoChance`, so that a second try does not excuse it, if the file left something behind although its tests passed,
 * or if an error came outside of any test, maybe of another file that ran in the same process before.
 */
function readRun(path) {
  const events = linesOf(path).flatMap(parse);
  const files = new Map();
  const lost = [];
  for (const event of events) {
    if (event.kind === 'finished') continue;
    if (event.file === undefined) lost.push(...event.messages);
    else apply(event, fileOf(files, event));
  }
  for (const file of files.values()) finish(file, events.at(-1).at);
  return { finished: events.some(({ kind }) => kind === 'finished'), files, lost };
}

function fileOf(files, { file, at }) {
  const known = files.get(file);
  if (known !== undefined) return known;
  const made = {
    started: at,
    ended: null,
    died: false,
    seconds: 0,
    passed: 0,
    failed: 0,
    failures: [],
    isNoChance: false,
  };
  files.set(file, made);
  return made;
}

function apply(event, file) {
  if (event.kind === 'died') {
    file.died = true;
    file.failures.push(text(event));
  }
  if (event.kind === 'unhandled') {
    file.failures.push(`an error outside of any test\n${text(event)}`);
    file.isNoChance = true;
  }
  if (event.kind === 'test') {
    // The file's end says how many have passed, and vitest may report a test once more after it.
    if (event.state === 'passed') file.passed += file.ended === null ? 1 : 0;
    else file.failures.push(`${event.test} (${event.state})\n${text(event)}`);
  }
  if (event.kind === 'ended') {
    file.ended = event.at;
    file.passed = event.passed;
    file.failed = event.total - event.passed;
    if (event.messages.length > 0) file.failures.push(text(event));
    const onlyThat = event.passed === event.total && event.messages.length === 1;
    file.isNoChance ||= onlyThat && text(event).includes(LEFT_BEHIND);
    // A file with nothing to show for itself: it did not load, or every test in it was skipped.
    if (event.state !== 'passed' && file.failures.length === 0)
      file.failures.push(`the file: ${event.state}`);
  }
}

function finish(file, last) {
  file.seconds = Math.round(((file.ended ?? last) - file.started) / 100) / 10;
  if (file.ended === null && !file.died)
    file.failures.push(`it had not ended after ${Math.round(file.seconds)} s`);
  if (file.failed > 0 && file.failures.length === 0) file.failures.push(`${file.failed} tests did not run`);
  // What failed outside of any test counts as one.
  if (file.failures.length > 0) file.failed = Math.max(file.failed, 1);
}

function text({ messages }) {
  return messages.join('\n');
}

function linesOf(path) {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
}

/** A process that was killed may have left half a line. */
function parse(line) {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
