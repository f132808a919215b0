import { test } from 'vitest';
import { expectEqualToGit } from './equal-to-git.ts';

test(
  'after each of 25 histories the index answers as git alone does, caught up or rebuilt',
  () => expectEqualToGit({ numRuns: 25, seed: 20_261_121 }),
  1_200_000,
);
