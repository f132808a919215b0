import { expect, test } from 'vitest';
import { changesNothing } from '../src/options.ts';

test.each([
  [['--no-execute']],
  [['--execute=false']],
  [['--require-approval', 'never', '--execute', 'false']],
  [['--method', 'prepare-change-set']],
  [['--method=prepare-change-set', '--verbose']],
  [['-m', 'prepare-change-set']],
  [['--version']],
])('%j deploys nothing', (rest) => {
  expect(changesNothing({ rest })).toBe(true);
});

test.each([
  [[]],
  [['--method', 'direct']],
  [['--execute']],
  [['--change-set-name=x-prepare-change-set']],
  [['--profile', 'no-execute']],
])('%j deploys', (rest) => {
  expect(changesNothing({ rest })).toBe(false);
});
