/**
 * True in `pnpm test` and in the gate, which take a sample of what there is to go through: vitest.config.ts and
 * vitest.gate.config.ts set it. `pnpm test:full` and `pnpm test:labs` take everything.
 */
const isSample = process.env.PAGETREE_SAMPLE === '1';

/** The first value for everything, and the second for the sample. */
export function sampled<T>(everything: T, sample: T): T {
  return isSample ? sample : everything;
}
