/** As many inputs as take half a minute in CI. */
const INPUTS_IN_CI = 400;

/**
 * The settings of the fuzzer of git input. By default it tries the same inputs each time, however slow the
 * machine is. Longer runs are limited by time (PAGETREE_FUZZ_SECONDS) and start from a random seed, or from
 * that of another run (PAGETREE_FUZZ_SEED).
 */
export const fuzz = configOf(process.env.PAGETREE_FUZZ_SECONDS, process.env.PAGETREE_FUZZ_SEED);

function configOf(seconds: string | undefined, seed: string | undefined) {
  const isTimed = seconds !== undefined;
  return {
    seconds: isTimed ? Number(seconds) : Number.POSITIVE_INFINITY,
    inputs: isTimed ? Number.POSITIVE_INFINITY : INPUTS_IN_CI,
    timeoutMs: ((isTimed ? Number(seconds) : 0) + 2_700) * 1_000,
    seed: seed === undefined ? (isTimed ? Date.now() % 2 ** 31 : 1) : Number(seed),
  };
}
