import fc from 'fast-check';
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

test('the score of a page is the sum of what its places in the two orders give', () => {
  const byWords = fc.dictionary(fc.constantFrom('0', '1', '2', '3', '4', '5'), fc.nat(4));
  const byMeaning = fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7]).chain((pages) =>
    fc.array(fc.nat(2), { minLength: pages.length, maxLength: pages.length }).map((places) => {
      const groups = Map.groupBy(pages, (_page, at) => places[at]);
      return [...groups.values()];
    }),
  );
  fc.assert(
    fc.property(byWords, byMeaning, (scores, groups) => {
      const expected = new Map<number, number>();
      for (const page of [0, 1, 2, 3, 4, 5, 6, 7]) {
        const score = scores[page];
        const before = new Set(Object.values(scores).filter((other) => score !== undefined && other > score));
        const words = score === undefined ? 0 : 10 / (10 + before.size);
        const group = groups.findIndex((pages) => pages.includes(page));
        const meaning = group === -1 ? 0 : 5 / (10 + group);
        if (words + meaning > 0) expected.set(page, words + meaning);
      }
      const fused = fuse(
        new Map(Object.entries(scores).map(([page, score]) => [Number(page), score])),
        groups,
      );
      expect(fused.size).toBe(expected.size);
      for (const [page, score] of expected) expect(fused.get(page)).toBeCloseTo(score, 12);
    }),
  );
});
