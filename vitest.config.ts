import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { temporaryFilesInMemory } from './vitest.memory.config.ts';

/** The tests that `pnpm test:full` alone runs: of what costs money on AWS, and of what waits for a real clock. */
export const ONLY_IN_FULL_RUNS = [
  'packages/bench/src/aws/{commands,quotas}.test.ts',
  'packages/bench/src/studies/resume.test.ts',
  'packages/bench/src/storage/measure-engine.test.ts',
  'labs/lambda-lab/runtime-api.test.ts',
  // On a busy machine a search may need more than the seconds that a server has to end.
  'packages/mcp-server/test/process/stopping.test.ts',
  // Many processes that wait for each other: a fifth of what the rest of the package takes.
  'packages/mcp-server/test/{http,process}/long-calls.test.ts',
  'packages/mcp-server/test/aws/aws-failures.test.ts',
  'packages/mcp-server/test/commands/{doctor-address,doctor-proxy,transfer-commands}.test.ts',
];

export const NO_UNIT_TESTS = ['**/*.lab.test.ts', '**/node_modules/**'];

/** These share the modules that they load with others: to load them anew for each file takes longer than most tests. */
export const SHARING_MODULES = [
  'packages/{access,backends,mcp-server,mirror,outbound,sync,sync-lambda,web,wiki}/src/**/*.test.ts',
];

/** These hold how much memory they take. */
const MEASURING_MEMORY = ['packages/wiki/src/git/received/index-pack.test.ts'];

/** The two projects of the unit tests, without those that `excluded` names. */
export function unitTests(excluded: readonly string[]): TestProjectInlineConfiguration[] {
  const sharing = { include: SHARING_MODULES, exclude: [...excluded, ...MEASURING_MEMORY] };
  const others = [
    '*.test.ts',
    '.ci/*.test.ts',
    'packages/*/test/**/*.test.ts',
    'packages/{bench,infra,wiki-lambda}/src/**/*.test.ts',
    'labs/**/*.test.ts',
    'start/*.test.ts',
    ...MEASURING_MEMORY,
  ];
  return [
    { extends: true, test: { name: 'sharing modules', ...sharing, isolate: false } },
    { extends: true, test: { name: 'others', include: others, exclude: [...excluded] } },
  ];
}

export default defineConfig({
  test: {
    projects: unitTests([...NO_UNIT_TESTS, ...ONLY_IN_FULL_RUNS]),
    setupFiles: ['.ci/left-behind.mjs'],
    // By itself vitest leaves a core alone, and of two that is half; the tests hold no times.
    maxWorkers: '100%',
    env: { ...temporaryFilesInMemory(), PAGETREE_SAMPLE: '1' },
    // For what hangs: at least ten times what the longest takes on an idle machine.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // A test whose loop finds nothing to look at fails, too.
    expect: { requireAssertions: true, poll: { timeout: 600_000 } },
  },
});
