import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ONLY_IN_FULL_RUNS } from './vitest.config.ts';
import { GATE } from './vitest.gate.config.ts';

/** Sources of tests, and what they use, that the gate runs. */
const SOURCES = /\.(?:test|suite)\.ts$|^packages\/[^/]+\/test\/.*\.ts$|^labs\/.*\.ts$/;

/** Time that went by: it depends on the machine. */
const MEASURED_TIME = /(?:performance\.now|Date\.now|hrtime(?:\.bigint)?)\(\)\s*-\s*[A-Za-z_#]/;
const MAY_MEASURE_TIME: Record<string, string> = {
  'labs/lambda-lab/environment.ts': 'reports what AWS reports of an init phase; no test of the gate holds it',
  'labs/nfs-lab/round-trip.ts': 'for a lab of the full run',
  'packages/mcp-server/test/attacks/meter.ts': 'for labs of the full run',
  'packages/mcp-server/test/process/stop-while-busy.ts': 'for tests of the full run',
  'packages/wiki-lambda/src/handler.test.ts': 'a clock that the test moves on',
};

/** A choice that nobody can repeat; `labs/seeded-random.ts` makes those that one can. */
const CHOICE = /\bMath\.random\b|\brandomInt\(/;
const MAY_CHOOSE: Record<string, string> = {
  'labs/seeded-random.ts': 'chooses the seed',
  'packages/mcp-server/test/attacks/import-attacks.ts': 'waits a moment in another process',
  'packages/wiki-lambda/test/persistent-client.ts': 'waits as clients of AWS do',
  'packages/wiki/src/storage/native-git/adoption.test.ts': 'makes each text another one',
  'packages/wiki/src/storage/packs/merging/pack-merger.test.ts': 'makes each text another one',
};

const onlyInFullRuns = new Set(ONLY_IN_FULL_RUNS.flatMap((pattern) => globSync(pattern)));
const labsOfTheGate = new Set(GATE.flatMap((pattern) => globSync(pattern)));
const sources = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
  .toString()
  .split('\n')
  .filter((path) => SOURCES.test(path));

test('no test of the gate measures the time that goes by', () => {
  const ofTheGate = sources.filter(
    (path) => !onlyInFullRuns.has(path) && (!path.endsWith('.lab.test.ts') || labsOfTheGate.has(path)),
  );
  expect(filesWith(MEASURED_TIME, ofTheGate)).toEqual(Object.keys(MAY_MEASURE_TIME));
});

test('no test makes a choice that nobody can repeat', () => {
  expect(filesWith(CHOICE, sources)).toEqual(Object.keys(MAY_CHOOSE));
});

/** This file names what it looks for. */
function filesWith(pattern: RegExp, paths: readonly string[]): string[] {
  return paths
    .filter((path) => path !== 'test-sources.test.ts' && pattern.test(readFileSync(path, 'utf8')))
    .toSorted();
}
