/**
 * The similarity of texts to a given one, from 0 to 1: the share of pairs of neighbouring characters that
 * they have in common (Sørensen–Dice). Linear in the length, unlike an edit distance, and tolerates swapped
 * words. Returns 0 for texts that cannot reach `atLeast`, which it can skip early.
 */
export function similarityTo(wanted: string): (text: string, atLeast?: number) => number {
  const pairs = new Map<number, { count: number; used: number; round: number }>();
  const length = wanted.length + 1;
  for (const pair of pairsOf(wanted)) {
    const known = pairs.get(pair);
    if (known) known.count += 1;
    else pairs.set(pair, { count: 1, used: 0, round: 0 });
  }
  let round = 0;
  return (text, atLeast = 0) => {
    const total = length + text.length + 1;
    if ((2 * Math.min(length, text.length + 1)) / total < atLeast) return 0;
    round += 1;
    let common = 0;
    for (const pair of pairsOf(text)) {
      const known = pairs.get(pair);
      if (known === undefined) continue;
      if (known.round !== round) {
        known.round = round;
        known.used = 0;
      }
      if (known.used === known.count) continue;
      known.used += 1;
      common += 1;
    }
    return (2 * common) / total;
  };
}

/** Pairs of neighbouring UTF-16 code units as numbers; the ends pair with 0, so that beginnings weigh more. */
function* pairsOf(text: string): Generator<number> {
  let previous = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    yield previous * 0x10000 + unit;
    previous = unit;
  }
  yield previous * 0x10000;
}
