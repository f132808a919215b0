import type { TargetName } from '../study.ts';

/**
 * The targets that the lab test measures, with the rounds on each. PAGETREE_STUDIES=all adds the lab, which compiles an
 * S3 server in three minutes and starts a guest for each read.
 */
export const jitterTargets: readonly (readonly [TargetName, number])[] = [
  ['local', 2],
  ...(process.env.PAGETREE_STUDIES === 'all' ? ([['lab', 1]] as const) : []),
];
