/** The positions of runs of backticks, by their length. */
export function positionsByLength(text: string): Map<number, number[]> {
  const positions = new Map<number, number[]>();
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const same = positions.get(run.length);
    if (same) same.push(index);
    else positions.set(run.length, [index]);
  }
  return positions;
}

/** Binary search in ascending positions. */
export function firstAfter(positions: readonly number[], at: number): number | undefined {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((positions[middle] ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return positions[low];
}
