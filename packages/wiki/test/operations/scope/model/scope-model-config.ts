/**
 * The random wikis of the lab: always the same, of thousands of steps, or as many as PAGETREE_SCOPES_SECONDS let in, of PAGETREE_SCOPES_SEED
 * or of a seed that nobody chose.
 */
const { PAGETREE_SCOPES_SECONDS: seconds, PAGETREE_SCOPES_SEED: seed } = process.env;
export const randomScopes =
  seconds === undefined
    ? { seconds: 3_600, wikis: 250, seed: 20_261_123 }
    : { seconds: Number(seconds), wikis: 1_000_000, seed: Number(seed ?? Date.now() % 2 ** 31) };
