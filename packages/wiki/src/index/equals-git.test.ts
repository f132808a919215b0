import { test } from 'vitest';
import { expectEqualToGit } from '../../test/index/equal-to-git.ts';

test('after any history every answer is the one that git alone gives, caught up or built anew', () =>
  expectEqualToGit({ numRuns: 12 }));
