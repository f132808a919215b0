import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coarseHunks } from './coarse-hunks.ts';

test('as many lines as possible stay if lines change places', () => {
  const order = fc.uniqueArray(fc.nat(40), { maxLength: 30 });
  fc.assert(
    fc.property(order, order, (one, other) => {
      const [base, changed] = [one.map(String), other.map(String)];
      const replaced = coarseHunks(base, changed).reduce((sum, { start, end }) => sum + end - start, 0);
      expect(base.length - replaced).toBe(longestCommon(base, changed));
    }),
  );
});

test('only lines that differ are in a hunk, also where they stand between lines that occur again', () => {
  const hunks = (base: string, changed: string) =>
    coarseHunks([...base], [...changed]).map(({ start, end, lines }) => [start, end, lines.join('')]);
  expect(hunks('', '')).toEqual([]);
  expect(hunks('xaay', 'xaay')).toEqual([]);
  expect(hunks('xaay', 'xabay')).toEqual([[2, 2, 'b']]);
  expect(hunks('xaay', 'xay')).toEqual([[2, 3, '']]);
  expect(hunks('xay', 'xaaay')).toEqual([[2, 2, 'aa']]);
  expect(hunks('aabb', 'aabbaabb')).toEqual([[4, 4, 'aabb']]);
  expect(hunks('xaaybbz', 'xcaybbdz')).toEqual([
    [1, 2, 'c'],
    [6, 6, 'd'],
  ]);
  expect(hunks('aaxbb', 'aacxdbb')).toEqual([
    [2, 2, 'c'],
    [3, 3, 'd'],
  ]);
  expect(hunks('abc', '')).toEqual([[0, 3, '']]);
  expect(hunks('', 'abc')).toEqual([[0, 0, 'abc']]);
});

/** The length of the longest series of lines that stand in this order on both sides, by a table of all pairs. */
function longestCommon(one: readonly string[], other: readonly string[]): number {
  const table = [other.map(() => 0).concat(0)];
  for (const line of one) {
    const above = table.at(-1) ?? [];
    const row = [0];
    for (const [at, each] of other.entries())
      row.push(each === line ? (above[at] ?? 0) + 1 : Math.max(row[at] ?? 0, above[at + 1] ?? 0));
    table.push(row);
  }
  return table.at(-1)?.at(-1) ?? 0;
}
