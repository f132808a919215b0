import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countValues } from './count-values.ts';

test('counts every member and element, whatever texts contain', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const json = JSON.stringify(value);
      expect(countValues(json, Number.POSITIVE_INFINITY)).toBe(separatorsOf(JSON.parse(json)));
    }),
  );
});

test.each([
  ['["\\\\",1]', 2],
  ['["\\"",1]', 2],
  ['["\\\\\\",[{",1]', 2],
  ['["a', 1],
])('%s', (json, values) => {
  expect(countValues(json, 100)).toBe(values);
});

test('stops at the limit', () => {
  expect(countValues(`[${'1,'.repeat(1_000_000)}1]`, 500)).toBe(501);
});

/** One for each list and object, and for each value after the first one in it. */
function separatorsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const values = Object.values(value);
  return (
    1 + Math.max(0, values.length - 1) + values.reduce<number>((sum, each) => sum + separatorsOf(each), 0)
  );
}
