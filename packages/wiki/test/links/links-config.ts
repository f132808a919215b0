/**
 * The languages of the documentation, the number of pages and folders that are moved there and back, and one in how many
 * pages is compared at the end: all with PAGETREE_LINKS_MOVES=all.
 */
export const languageMoves =
  process.env.PAGETREE_LINKS_MOVES === 'all'
    ? { languages: null, hubs: 50, folders: 10, lastSample: 1 }
    : { languages: ['ar', 'de', 'en', 'ja'], hubs: 4, folders: 2, lastSample: 10 };

/**
 * The random vaults: always the same few, so that a slower machine fails no more than a fast one, or as many as
 * PAGETREE_LINKS_SECONDS let in, of PAGETREE_LINKS_SEED or of a seed that nobody chose.
 */
const { PAGETREE_LINKS_SECONDS: seconds, PAGETREE_LINKS_SEED: seed } = process.env;
export const randomVaults =
  seconds === undefined
    ? { seconds: 3_600, vaults: 25, seed: 20_261_122 }
    : { seconds: Number(seconds), vaults: 1_000_000, seed: Number(seed ?? Date.now() % 2 ** 31) };
