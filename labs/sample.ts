/**
 * True in the gate, which takes a sample of what labs go through: vitest.gate.config.ts sets it. `pnpm test:full` and
 * `pnpm test:labs` take everything.
 */
const isGate = process.env.PAGETREE_GATE === '1';

/** The first value for everything, and the second for the sample of the gate. */
export function sampled<T>(everything: T, sample: T): T {
  return isGate ? sample : everything;
}
