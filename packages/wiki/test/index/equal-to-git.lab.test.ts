import { test } from 'vitest';
import { expectEqualToGit } from './equal-to-git.ts';

test(
  'after 120 histories every answer is the one that git alone gives, caught up or built anew',
  () => expectEqualToGit({ numRuns: 120, seed: 20_261_121 }),
  1_200_000,
);
