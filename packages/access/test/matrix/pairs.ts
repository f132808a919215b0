import type { Chance } from '../../../wiki/test/git-input/mutations.ts';

export function shuffled<T>(items: readonly T[], chance: Chance): T[] {
  return items
    .map((item) => ({ item, at: chance.below(2 ** 31) }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/**
 * Every pair of the first two, each with one of `third` and of `fourth` so that soon all pairs of any two of the four
 * have come. Greedy: each row takes what brings most pairs that have not come yet.
 */
export function pairwise<A, B, C, D>(
  [first, second, third, fourth]: [readonly A[], readonly B[], readonly C[], readonly D[]],
  chance: Chance,
): [A, B, C, D][] {
  const seen = new Set<string>();
  const firstTwo = first.flatMap((_, a) => second.map((_, b) => [a, b] as const));
  const choices = third.flatMap((_, c) => fourth.map((_, d) => [c, d] as const));
  return shuffled(firstTwo, chance).map(([a, b]) => {
    const pairsOf = ([c, d]: readonly [number, number]) => pairsIn([a, b, c, d]);
    const gain = (choice: readonly [number, number]) =>
      pairsOf(choice).filter((pair) => !seen.has(pair)).length;
    const best = shuffled(choices, chance).reduce((one, other) => (gain(other) > gain(one) ? other : one));
    for (const pair of pairsOf(best)) seen.add(pair);
    const [c, d] = best;
    return [first[a], second[b], third[c], fourth[d]] as [A, B, C, D];
  });
}

/** A name for each pair of values in a row of indexes. */
export function pairsIn(row: readonly number[]): string[] {
  return row.flatMap((value, at) =>
    row.slice(at + 1).map((other, next) => `${at}:${value} ${at + 1 + next}:${other}`),
  );
}
