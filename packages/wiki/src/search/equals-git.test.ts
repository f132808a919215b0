import { test } from 'vitest';
import { expectEqualToGit } from '../../test/search/equal-to-git.ts';

test('after any history the index answers as git alone does, caught up or rebuilt', () =>
  expectEqualToGit({ numRuns: 12 }));
