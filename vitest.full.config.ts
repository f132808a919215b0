import { defineConfig } from 'vitest/config';
import config, { NO_UNIT_TESTS, unitTests } from './vitest.config.ts';

const { test } = config;

/** The unit tests of `pnpm test` and those that only these runs have, each with all that there is to go through. */
export default defineConfig({
  ...config,
  test: { ...test, projects: unitTests(NO_UNIT_TESTS), env: { ...test?.env, PAGETREE_SAMPLE: '0' } },
});
