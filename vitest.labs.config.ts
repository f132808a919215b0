import { defineConfig } from 'vitest/config';

/** The tests that need a lab or a corpus: real NFS, the real Lambda runtime client, a real wiki. */
export default defineConfig({
  test: {
    include: ['{packages,labs}/**/*.lab.test.ts'],
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
