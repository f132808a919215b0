import fc from 'fast-check';
import { expect, test } from 'vitest';
import { similarityTo } from './similarity.ts';

test('equal texts are 1 alike, texts with nothing in common 0', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(similarityTo(text)(text)).toBe(1);
    }),
  );
  expect(similarityTo('abc')('xyz')).toBe(0);
});

test('likeness is symmetric and between 0 and 1', () => {
  const few = fc.string({ unit: fc.constantFrom('a', 'b', 'c') });
  fc.assert(
    fc.property(few, few, (a, b) => {
      const likeness = similarityTo(a)(b);
      expect(likeness).toBe(similarityTo(b)(a));
      expect(likeness).toBeGreaterThanOrEqual(0);
      expect(likeness).toBeLessThanOrEqual(1);
    }),
  );
});

test('a slip of the pen is nearer than another word', () => {
  const likeness = similarityTo('getting started');
  expect(likeness('geting startde')).toBeGreaterThan(likeness('setting up'));
  expect(likeness('started getting')).toBeGreaterThan(0.7);
});

test('texts are not compared if they cannot be as similar as asked for', () => {
  expect(similarityTo('abc')('abcdefghijkl', 0.9)).toBe(0);
  expect(similarityTo('abc')('abcd', 0.5)).toBeGreaterThan(0.5);
});
