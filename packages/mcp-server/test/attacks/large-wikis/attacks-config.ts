/** True if the largest inputs are to be tried too: at full size they take a third of the time of all attacks. */
export const everyAttack = process.env.PAGETREE_ATTACKS === 'all';

/** One in how many of the pages and links that check_wiki has to go through. */
export const checkedShare = everyAttack ? 1 : 4;
