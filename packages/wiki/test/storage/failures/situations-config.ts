/**
 * True if the labs go through every situation call by call: PAGETREE_SITUATIONS=all. In CI they take three of them,
 * and the unit tests take all, at each call that changes anything.
 */
export const everySituation = process.env.PAGETREE_SITUATIONS === 'all';
