import { expect, test } from 'vitest';
import { isOneLetterAway } from './spelling.ts';

test.each([
  ['templte', 'template', 'a letter left out'],
  ['templaate', 'template', 'a letter put in'],
  ['tenplate', 'template', 'another letter'],
  ['tempalte', 'template', 'two letters swapped'],
  ['emplate', 'template', 'the first letter left out'],
  ['привед', 'привет', 'in any script'],
])('%s is one letter away from %s: %s', (a, b) => {
  expect(isOneLetterAway(a, b)).toBe(true);
  expect(isOneLetterAway(b, a)).toBe(true);
});

test.each([
  ['template', 'template'],
  ['tmplte', 'template'],
  ['etmplaet', 'template'],
  ['abc', 'cba'],
])('%s is not one letter away from %s', (a, b) => {
  expect(isOneLetterAway(a, b)).toBe(false);
});
