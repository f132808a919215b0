import { expect, test } from 'vitest';
import { fuse } from './fuse.ts';

function order(scores: ReadonlyMap<number, number>): number[] {
  return [...scores].sort(([, a], [, b]) => b - a).map(([page]) => page);
}

test('words count more than meaning, and a page that both find is the best', () => {
  const byWords = new Map([
    [1, 9],
    [2, 8],
    [3, 7],
  ]);
  expect(order(fuse(byWords, [[4], [3]]))).toEqual([3, 1, 2, 4]);
  expect(order(fuse(new Map(), [[4], [3]]))).toEqual([4, 3]);
});

test('pages with the same score, or the same text, have the same place in any order', () => {
  const scores: [number, number][] = [
    [1, 5],
    [2, 5],
    [3, 4],
  ];
  const fused = fuse(new Map(scores), [[7, 8], [9]]);
  expect(fused).toEqual(fuse(new Map(scores.toReversed()), [[8, 7], [9]]));
  expect(fused.get(1)).toBe(fused.get(2));
  expect(fused.get(7)).toBe(fused.get(8));
});
