/** The seed of the matrix: a new one in each run, or the one of a run that is to be repeated. */
export const SEED = Number(process.env.PAGETREE_SEED ?? Date.now() % 2 ** 31);
