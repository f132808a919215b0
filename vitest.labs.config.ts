import { defineConfig } from 'vitest/config';
import { temporaryFilesInMemory } from './vitest.memory.config.ts';

/**
 * It takes minutes, so it runs beside the timeless labs. It measures a row again by itself, and sets off what the machine
 * is slower by.
 */
const ATTACKS = 'packages/mcp-server/test/attacks/attacks.lab.test.ts';

/** Labs that hold processor time and stalls: beside another lab on two cores these grow by half. */
export const ALONE = [
  'packages/wiki/test/operations/freezing.lab.test.ts',
  'packages/wiki/test/text/scaling.lab.test.ts',
  'packages/web/test/render/hostile-pages.lab.test.ts',
  'packages/web/test/render/code-languages.lab.test.ts',
];

/**
 * Labs that hold no wall time, and may run two at once. The others run first, one at a time. They also install nearly
 * every missing Debian package, which two labs could not do at once.
 */
export const TIMELESS = [
  'labs/workflows.lab.test.ts',
  'packages/wiki/test/storage/{model,failures}/**/*.lab.test.ts',
  'packages/wiki/test/storage/maintenance/*.lab.test.ts',
  'packages/wiki/test/search/equal-to-git.lab.test.ts',
  'packages/wiki/test/search/snapshots-on-nfs/snapshots.lab.test.ts',
  'packages/wiki/test/operations/foam-docs.lab.test.ts',
  'packages/wiki/test/operations/scope/model/*.lab.test.ts',
  'packages/wiki/test/links/*.lab.test.ts',
  'packages/wiki/test/git-input/fuzz.lab.test.ts',
  'packages/web/test/histories.lab.test.ts',
  'packages/web/test/render/{corpora,grammars}.lab.test.ts',
  'packages/web/test/lambda/*.lab.test.ts',
  'packages/sync-lambda/test/sync-lambda.lab.test.ts',
  'packages/wiki-lambda/test/{operations,operations-on-nfs,restore}.lab.test.ts',
  'packages/backends/test/end-process/end-process.lab.test.ts',
  'packages/mcp-server/test/{clients,http,tools}/*.lab.test.ts',
  'packages/mcp-server/test/commands/*.lab.test.ts',
  'packages/infra/test/**/deployment.lab.test.ts',
  'packages/wiki/test/operations/round-trips/batch.lab.test.ts',
  'packages/wiki/test/storage/races/*.lab.test.ts',
  'packages/bench/src/aws/aws.lab.test.ts',
  'packages/bench/src/growth/growth.lab.test.ts',
  'packages/bench/src/http/http.lab.test.ts',
  'packages/bench/src/install/install.lab.test.ts',
  'packages/bench/src/lambda/cold-starts.lab.test.ts',
  'packages/bench/src/maintenance/small-wikis.lab.test.ts',
  'packages/bench/src/search/search.lab.test.ts',
  'packages/bench/src/team/team.lab.test.ts',
  'packages/bench/src/tokens/tokens.lab.test.ts',
  'packages/bench/src/storage/{bench-storage,cold-read,round-trips,round-trips-at-scale}.lab.test.ts',
  'packages/bench/src/storage/native-extras/native-extras.lab.test.ts',
  'packages/bench/src/studies/jitter/jitter.lab.test.ts',
];

/** Other work of the machine makes times longer, and never shorter. A test that fails otherwise is not repeated. */
const TIMES_AGAIN = { count: 2, condition: /to be (less|greater) than/ };

/**
 * The timeouts are for what hangs: ten times what the longest takes on an idle machine, and less than all of `.ci/run` may
 * take.
 */
export const common = {
  setupFiles: ['.ci/left-behind.mjs'],
  testTimeout: 2_700_000,
  hookTimeout: 2_700_000,
  expect: { requireAssertions: true, poll: { timeout: 600_000 } },
};

/** The tests that need a lab or a corpus: real NFS, the real Lambda runtime client, a real wiki. */
export default defineConfig({
  test: {
    // The reporter that shows what a test counted even if it passed.
    reporters: ['verbose'],
    projects: [
      {
        test: {
          ...common,
          name: 'labs',
          include: ['{packages,labs}/**/*.lab.test.ts'],
          exclude: [...TIMELESS, ...ALONE, ATTACKS, '**/node_modules/**'],
          fileParallelism: false,
          retry: TIMES_AGAIN,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...common,
          name: 'labs alone',
          include: ALONE,
          env: temporaryFilesInMemory(),
          fileParallelism: false,
          retry: TIMES_AGAIN,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...common,
          name: 'attacks',
          include: [ATTACKS],
          env: temporaryFilesInMemory(),
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...common,
          name: 'timeless labs',
          include: TIMELESS,
          env: temporaryFilesInMemory(),
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
