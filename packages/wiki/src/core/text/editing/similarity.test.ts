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

test('similarity counts the pairs of neighbouring characters that two texts share, with both ends', () => {
  const paired = (text: string) => {
    const units = ['^', ...text.split(''), '$'];
    return units.slice(1).map((unit, at) => `${units[at]}${unit}`);
  };
  const few = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\u0101', '\uffff'), maxLength: 8 });
  fc.assert(
    fc.property(few, fc.array(few, { minLength: 1, maxLength: 3 }), (wanted, texts) => {
      const likeness = similarityTo(wanted);
      for (const text of texts) {
        const left = paired(wanted);
        const own = paired(text);
        const common = own.filter((pair) => {
          const at = left.indexOf(pair);
          if (at !== -1) left.splice(at, 1);
          return at !== -1;
        }).length;
        expect(likeness(text)).toBe((2 * common) / (paired(wanted).length + own.length));
      }
    }),
  );
});

test('a text that can just be as similar as asked for is compared', () => {
  const least = (2 * 4) / (4 + 5);
  expect(similarityTo('abc')('abcd', least)).toBeGreaterThan(0);
  expect(similarityTo('abc')('abcd', least + 0.001)).toBe(0);
});
