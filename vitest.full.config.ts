import { mergeConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** The unit tests of `pnpm test`, each with all that there is to go through. */
export default mergeConfig(config, { test: { env: { PAGETREE_SAMPLE: '0' } } });
