import { defineConfig } from 'vitest/config';
import { temporaryFilesInMemory } from './vitest.memory.config.ts';

/**
 * What holds no time: two at once take nothing from each other but patience. Of the labs that build the function into
 * its folder only one may be here.
 */
const TIMELESS = [
  'packages/wiki/test/storage/{model,ordeals}/**/*.lab.test.ts',
  'packages/wiki/test/storage/maintenance/*.lab.test.ts',
  'packages/wiki/test/index/equal-to-git.lab.test.ts',
  'packages/wiki/test/index/snapshots-on-nfs/snapshots.lab.test.ts',
  'packages/wiki/test/operations/foam-docs.lab.test.ts',
  'packages/wiki-lambda/test/operations{,-on-nfs}.lab.test.ts',
  'packages/wiki/test/operations/round-trips/batch.lab.test.ts',
  'packages/bench/src/growth/growth.lab.test.ts',
  'packages/bench/src/search-quality/search-quality.lab.test.ts',
  'packages/bench/src/storage/round-trips{,-at-scale}.lab.test.ts',
  'packages/bench/src/studies/jitter/jitter.lab.test.ts',
];

/** For what hangs: ten times what the longest takes on an idle machine, and less than all of `.ci/run` may take. */
export const limits = { testTimeout: 2_700_000, hookTimeout: 2_700_000 };

/** The tests that need a lab or a corpus: real NFS, the real Lambda runtime client, a real wiki. */
export default defineConfig({
  test: {
    // The one that tells what a test counted also where it passed.
    reporters: ['verbose'],
    projects: [
      {
        test: {
          ...limits,
          name: 'labs',
          include: ['{packages,labs}/**/*.lab.test.ts'],
          exclude: [...TIMELESS, '**/node_modules/**'],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...limits,
          name: 'timeless labs',
          include: TIMELESS,
          env: temporaryFilesInMemory(),
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
