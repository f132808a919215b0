import { expect, test } from 'vitest';
import { decide } from './decide.ts';

const ABSENT = null;
const [SAME, ONE, OTHER] = ['a', 'b', 'c'];

test.each([
  // agreed, folder, wiki
  [ABSENT, ABSENT, ABSENT, 'nothing'],
  [ABSENT, ABSENT, ONE, 'take'],
  [ABSENT, ONE, ABSENT, 'give'],
  [ABSENT, ONE, ONE, 'agree'],
  [ABSENT, ONE, OTHER, 'merge'],
  [SAME, SAME, SAME, 'nothing'],
  [SAME, SAME, ABSENT, 'take'],
  [SAME, SAME, ONE, 'take'],
  [SAME, ABSENT, SAME, 'give'],
  [SAME, ABSENT, ABSENT, 'agree'],
  [SAME, ABSENT, ONE, 'take again'],
  [SAME, ONE, SAME, 'give'],
  [SAME, ONE, ABSENT, 'give again'],
  [SAME, ONE, ONE, 'agree'],
  [SAME, ONE, OTHER, 'merge'],
] as const)('agreed on %s, folder has %s, wiki has %s: %s', (agreed, folder, wiki, decision) => {
  expect(decide(agreed, folder, wiki)).toBe(decision);
});
