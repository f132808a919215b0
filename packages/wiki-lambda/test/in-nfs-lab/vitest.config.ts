import { defineConfig } from 'vitest/config';

/** For tests that run as a whole inside nfs-lab, where most of the disk is read-only: see run-tests-in-nfs-lab.ts. */
export default defineConfig({
  cacheDir: '/tmp/vitest',
  test: {
    include: ['packages/wiki-lambda/test/in-nfs-lab/*.ts'],
    exclude: ['**/*.config.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
  },
});
