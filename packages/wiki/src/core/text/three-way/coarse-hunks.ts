/** Replaces the lines of the base from `start` up to `end` by `lines`. */
export interface Hunk {
  start: number;
  end: number;
  lines: readonly string[];
}

/**
 * The hunks that turn one list of lines into another, computed in time proportional to both. Keeps the
 * longest ordered series of lines that occur exactly once on each side, and the equal lines around them. The
 * result is correct but not the shortest: between two kept lines, a change replaces all lines that occur
 * several times.
 */
export function coarseHunks(base: readonly string[], changed: readonly string[]): Hunk[] {
  const hunks: Hunk[] = [];
  let [baseAt, changedAt] = [0, 0];
  for (const [anchor, place] of [...anchorsOf(base, changed), [base.length, changed.length] as const]) {
    while (baseAt < anchor && changedAt < place && base[baseAt] === changed[changedAt]) {
      baseAt += 1;
      changedAt += 1;
    }
    let [baseEnd, changedEnd] = [anchor, place];
    while (baseEnd > baseAt && changedEnd > changedAt && base[baseEnd - 1] === changed[changedEnd - 1]) {
      baseEnd -= 1;
      changedEnd -= 1;
    }
    if (baseEnd > baseAt || changedEnd > changedAt) {
      hunks.push({ start: baseAt, end: baseEnd, lines: changed.slice(changedAt, changedEnd) });
    }
    [baseAt, changedAt] = [anchor, place];
  }
  return hunks;
}

/** The places of lines that occur once on both sides: the longest series of them that ascends on both. */
function anchorsOf(base: readonly string[], changed: readonly string[]): (readonly [number, number])[] {
  const places = placesOfSingles(changed);
  const pairs = [...placesOfSingles(base)].flatMap(([line, at]) => {
    const place = places.get(line) ?? null;
    return at === null || place === null ? [] : [[at, place] as const];
  });
  // Patience sorting: the last pair of the best series of each length, and the predecessor of each pair.
  const lasts: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [index, [, place]] of pairs.entries()) {
    let [low, high] = [0, lasts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[lasts[middle] as number]?.[1] as number) < place) low = middle + 1;
      else high = middle;
    }
    before[index] = lasts[low - 1];
    lasts[low] = index;
  }
  const anchors: (readonly [number, number])[] = [];
  for (let index = lasts.at(-1); index !== undefined; index = before[index]) {
    anchors.push(pairs[index] as readonly [number, number]);
  }
  return anchors.reverse();
}

/** The place of each line, in order; null for lines that occur again. */
function placesOfSingles(lines: readonly string[]): Map<string, number | null> {
  const places = new Map<string, number | null>();
  for (const [place, line] of lines.entries()) places.set(line, places.has(line) ? null : place);
  return places;
}
