import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

const NAME = 'PAGETREE_MUTANT_SUITES';
const SEPARATOR = '\n';

/**
 * The suites of `pnpm test:mutants`. Stryker could choose them by itself, but then it makes a change outside of functions
 * only after the module was loaded, and reports that no test noticed it
 * (https://github.com/stryker-mutator/stryker-js/issues/6144).
 */
const suites = (process.env[NAME] ?? '').split(SEPARATOR);

/** Chooses the suites of this process and of those that it starts. */
export function chooseSuites(globs: Iterable<string>): void {
  process.env[NAME] = [...globs].join(SEPARATOR);
}

export default defineConfig({
  ...config,
  test: {
    ...config.test,
    projects: [{ extends: true, test: { name: 'mutants', include: suites, exclude: ['**/*.lab.test.ts'] } }],
  },
});
