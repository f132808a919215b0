import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['*.test.ts', '.ci/*.test.ts', 'packages/*/{src,test}/**/*.test.ts', 'labs/**/*.test.ts'],
    exclude: ['**/*.lab.test.ts', '**/node_modules/**'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
