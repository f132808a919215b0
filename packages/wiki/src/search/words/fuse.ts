/**
 * The scores of pages by their places in two orders: that of their scores by words, and that of their meaning, in groups
 * of pages with the same text. The scores themselves cannot be compared.
 */
export function fuse(
  byWords: ReadonlyMap<number, number>,
  byMeaning: readonly (readonly number[])[],
): Map<number, number> {
  const fused = new Map<number, number>();
  const add = (page: number, weight: number, place: number) =>
    fused.set(page, (fused.get(page) ?? 0) + (weight * NEAR_PLACES) / (NEAR_PLACES + place));
  let last = Number.POSITIVE_INFINITY;
  let place = -1;
  for (const [page, score] of [...byWords].sort(([, a], [, b]) => b - a)) {
    // Pages with the same score have the same place, in whichever order the index met them.
    if (score < last) place += 1;
    last = score;
    add(page, 1, place);
  }
  for (const [at, pages] of byMeaning.entries()) {
    for (const page of pages) add(page, MEANING_WEIGHT, at);
  }
  return fused;
}

/** The weight of the meaning beside the words. */
const MEANING_WEIGHT = 0.5;
/** The first places differ little from each other, as in reciprocal rank fusion. */
const NEAR_PLACES = 10;
