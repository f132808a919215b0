import { defineConfig } from 'vitest/config';
import { temporaryFilesInMemory } from './vitest.memory.config.ts';

export default defineConfig({
  test: {
    include: [
      '*.test.ts',
      '.ci/*.test.ts',
      'packages/*/{src,test}/**/*.test.ts',
      'labs/**/*.test.ts',
      'start/*.test.ts',
    ],
    exclude: ['**/*.lab.test.ts', '**/node_modules/**'],
    // By itself vitest leaves a core alone, and of two that is half; the tests hold no times.
    maxWorkers: '100%',
    env: { ...temporaryFilesInMemory(), PAGETREE_SAMPLE: '1' },
    // For what hangs: at least ten times what the longest takes on an idle machine.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 600_000 } },
  },
});
