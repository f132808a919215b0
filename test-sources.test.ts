import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ONLY_IN_FULL_RUNS } from './vitest.config.ts';
import { GATE } from './vitest.gate.config.ts';

/** Sources of tests, and what they use, that the gate runs. */
const SOURCES = /\.(?:test|suite)\.ts$|^packages\/[^/]+\/test\/.*\.ts$|^labs\/.*\.ts$/;

/**
 * Time that went by, or a moment that must have come or not: it depends on the machine. A time is taken from the clock, or
 * from a constant set by it.
 */
const CLOCK =
  /(?:performance\.now\(\)|process\.uptime\(\)|Date\.now\(\)|hrtime(?:\.bigint)?\(\w*\)|(?:\+ ?)?new Date\(\)(?:\.getTime\(\))?)/
    .source;
const SET = `(?:const|let) (\\w+)(?:: \\w+)? = (?:process\\.)?${CLOCK};.*?`;
const MEASURED_TIME = new RegExp(
  `${CLOCK}\\s*-\\s*[A-Za-z_#]|\\b(?:const|let) \\[[^\\]]*\\] = \\[[^\\]]*${CLOCK}|\\bhrtime\\(\\w|(?:expect|Than(?:OrEqual)?)\\((?:process\\.)?${CLOCK}|${SET}(?:\\b\\1 - [A-Za-z_#]|[\\w)\\]] - \\1\\b|Than(?:OrEqual)?\\(\\1\\b)`,
  's',
);
const MAY_MEASURE_TIME: Record<string, string> = {
  'labs/lambda-lab/environment.ts': 'reports what AWS reports of an init phase; no test of the gate holds it',
  'labs/lambda-lab/lambda-function.ts': 'reports what AWS reports of a call; no test of the gate holds it',
  'labs/nfs-lab/round-trip.ts': 'for a lab of the full run',
  'packages/mcp-server/test/attacks/meter.ts': 'for labs of the full run',
  'packages/mcp-server/test/process/stop-while-busy.ts': 'for tests of the full run',
  'packages/web/src/site/views/sync.test.ts': 'a pause ended before the look at the clock',
  'packages/wiki-lambda/src/handler.test.ts': 'a clock that the test moves on',
  'packages/wiki/src/storage/uploads.test.ts': 'makes times of the past',
  'packages/wiki/test/operations/overdue-sync.test.ts': 'makes times of the past',
  'packages/wiki/test/operations/suites/history.suite.ts': 'a commit lies between two looks at the clock',
  'packages/wiki/test/operations/suites/remotes.suite.ts': 'a pause ended before the look at the clock',
};

/**
 * A choice that nobody can repeat; `labs/seeded-random.ts`, `labs/noise.ts` and samples with a seed are those that one can.
 * A UUID is a name, and nothing else depends on it.
 */
const CHOICE =
  /\bMath\.random\b|\brandom\b[^;\n]*\} = Math\b|\brandomInt\(|\brandomBytes\(|\brandomFill(?:Sync)?\(|\bgetRandomValues\(|\bfc\.sample\((?!(?:(?!;\n).)*\bseed: )|\bseed\w*\b[^\n]*\bDate\.now\(|\bnow\(\)[^;\n]*\) % |\bnow\(\) % /is;
/** Some labs of the gate run programs of the benchmarks at small sizes. */
const BENCHMARKS = /^packages\/bench\/src\/.*\.ts$/;
const MAY_CHOOSE: Record<string, string> = {
  'labs/lambda-lab/invoke-api.ts': 'names a trace, as AWS does',
  'labs/seeded-random.ts': 'chooses the seed',
  'packages/access/test/matrix-config.ts': 'chooses the seed, which the names of its tests show',
  'packages/bench/src/aws/functions/probe-main.ts': 'chooses what a function on AWS reads',
  'packages/bench/src/aws/functions/seed-main.ts': 'fills files that are read for their size',
  'packages/bench/src/http/http-client.ts': 'reads, waits and breaks off as people do',
  'packages/bench/src/live/bench-live.ts': 'lets one of many equal watchers leave',
  'packages/bench/src/live/watcher.ts': 'waits a moment',
  'packages/bench/src/live/writer.ts': 'waits a moment',
  'packages/bench/src/studies/jitter/probe-main.ts': 'chooses what a function reads',
  'packages/bench/src/studies/jitter/probe.ts': 'names what it takes as an argument',
  'packages/bench/src/team/person.ts': 'waits as people do',
  'packages/mcp-server/test/attacks/attack.ts': 'fills large pages, in labs of the full run',
  'packages/mcp-server/test/attacks/git/large-bundles.ts': 'fills large files, in labs of the full run',
  'packages/mcp-server/test/attacks/import-attacks.ts': 'waits a moment in another process',
  'packages/mcp-server/test/attacks/size-attacks.ts': 'fills large files, in labs of the full run',
  'packages/mcp-server/test/attacks/zip-attacks.ts': 'fills large files, in labs of the full run',
  'packages/web/test/lambda/aws-of-team.ts': 'makes a secret key',
  'packages/web/test/login/team.ts': 'makes a secret key',
  'packages/web/test/oauth/oauth-client.ts': 'makes the secret of a login, as clients do',
  'packages/wiki-lambda/test/persistent-client.ts': 'waits as clients of AWS do',
  'packages/wiki/src/storage/commits/landing.test.ts':
    'lets a writer wait as writers do, but for the first time',
  'packages/wiki/src/storage/native-git/adoption.test.ts': 'makes each text another one',
  'packages/wiki/src/storage/packs/merging/pack-merger.test.ts': 'makes each text another one',
  'packages/wiki/test/git-input/fuzz-config.ts': 'chooses the seed of a long run, which shows it',
  'packages/wiki/test/links/links-config.ts': 'chooses the seed of a long run, which shows it',
  'packages/wiki/test/operations/scope/model/scope-model-config.ts':
    'chooses the seed of a long run, which shows it',
};

const onlyInFullRuns = new Set(ONLY_IN_FULL_RUNS.flatMap((pattern) => globSync(pattern)));
const labsOfTheGate = new Set(GATE.flatMap((pattern) => globSync(pattern)));
const paths = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
  .toString()
  .split('\n');
const sources = paths.filter((path) => SOURCES.test(path));

test('no test of the gate measures the time that goes by', () => {
  const ofTheGate = sources.filter(
    (path) => !onlyInFullRuns.has(path) && (!path.endsWith('.lab.test.ts') || labsOfTheGate.has(path)),
  );
  expect(filesWith(MEASURED_TIME, ofTheGate)).toEqual(Object.keys(MAY_MEASURE_TIME));
});

test('no test makes a choice that nobody can repeat', () => {
  const all = paths.filter((path) => SOURCES.test(path) || BENCHMARKS.test(path));
  expect(filesWith(CHOICE, all)).toEqual(Object.keys(MAY_CHOOSE));
});

/** Waits with a bound of their own. A test that hangs ends at its timeout, and a shorter wait fails on a slow machine. */
const SHORT_WAIT = new RegExp(
  [
    /\bvi\.wait(?:For|Until)\(|\.poll\((?:(?!;\n).)*?\btimeout:|\bconst \w+ = \{ timeout:/.source,
    // The test itself, or a hook, ends earlier than the others.
    /\{[^{}]*\btimeout:[^{}]*\}, (?:async )?(?:\w+ =>|\(|function)|^\}, [\d_]{1,7}\);/.source,
    /\bvi\.setConfig\(\{ \w+: [\d_]{1,7}\b|\bAbortSignal\.timeout\(/.source,
  ].join('|'),
  'ms',
);
const MAY_WAIT: Record<string, string> = {
  'packages/backends/src/embeddings/openai-embedder.test.ts': 'waits until the time is over: nothing answers',
  'packages/wiki-lambda/test/in-nfs-lab/fault-test.ts': 'lets a caller give up, as callers do, and try again',
  'packages/wiki/src/search/standing-index.test.ts': 'waits until the time is over: the answer comes later',
  'packages/wiki/test/git-input/fuzz.lab.test.ts': 'runs as long as it is told to, and 45 minutes more',
  'packages/wiki/test/operations/scope/model/scope-at-random.lab.test.ts':
    'runs as long as it is told to, and 45 minutes more',
};

test('no test waits for less than its own end', () => {
  expect(filesWith(SHORT_WAIT, sources)).toEqual(Object.keys(MAY_WAIT));
});

/**
 * Tests that hold nothing: an `expect` without a comparison, a test that has to fail, or need not run, or may fail at first, and
 * one whose preparation alone expects something, which vitest takes for the test.
 */
const EMPTY = new RegExp(
  [
    `\\bexpect(?:\\.soft)?${inBrackets(3)}(?:\\.\\w+)*;`,
    /\b(?:test|it|describe)(?:\.\w+)*\.(?:fails|todo|skip)\b|\.each\(\[\]\)|['`], \{[^{}]*\bfails: true|\bretry: [\d{]/
      .source,
    /^ *beforeEach\((?:(?!^ *\}\);|;\n\n).)*?\bexpect\(/.source,
  ].join('|'),
  'ms',
);
const MAY_BE_EMPTY: Record<string, string> = {
  '.ci/reporter.test.ts': 'writes tests that are skipped, to see them counted as failed',
};

test('each test holds something', () => {
  expect(filesWith(EMPTY, sources)).toEqual(Object.keys(MAY_BE_EMPTY));
});

/** An argument, with brackets within brackets so deep. */
function inBrackets(depth: number): string {
  const inner = depth > 0 ? `|${inBrackets(depth - 1)}` : '';
  return `\\((?:[^()'\`;/]|'(?:[^'\\\\\\n]|\\\\.)*'|\`(?:[^\`\\\\]|\\\\.)*\`${inner})*\\)`;
}

/** This file names what it looks for. */
function filesWith(pattern: RegExp, files: readonly string[]): string[] {
  return files
    .filter((path) => path !== 'test-sources.test.ts' && pattern.test(readFileSync(path, 'utf8')))
    .toSorted();
}
