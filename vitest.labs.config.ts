import { defineConfig } from 'vitest/config';

/** What goes through every case and holds no time: two at once take nothing from each other but patience. */
const EVERY_CASE = [
  'packages/wiki/test/storage/{model,ordeals}/**/*.lab.test.ts',
  'packages/wiki/test/storage/maintenance/maintenance-crash.lab.test.ts',
  'packages/wiki/test/index/equal-to-git.lab.test.ts',
];

const limits = { testTimeout: 600_000, hookTimeout: 600_000 };

/** The tests that need a lab or a corpus: real NFS, the real Lambda runtime client, a real wiki. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...limits,
          name: 'labs',
          include: ['{packages,labs}/**/*.lab.test.ts'],
          exclude: [...EVERY_CASE, '**/node_modules/**'],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...limits,
          name: 'every case',
          include: EVERY_CASE,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
