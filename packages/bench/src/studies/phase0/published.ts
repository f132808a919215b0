/**
 * The published run of dulwich on Lambda with EFS One Zone and 512 MB, in milliseconds: the bar to beat. Simultaneous
 * writes are reported as how many of 15 landed.
 */
export const published = {
  cold: { function: null, wall: { mean: 3407, median: 3403, p95: 3524, min: 3234, max: 3524 } },
  read: { function: { mean: 2.07, median: 2.02, p95: 2.46 }, wall: { mean: 272, median: 270, p95: 282 } },
  write: { function: { mean: 247, median: 245, p95: 284 }, wall: null },
  reads: { function: null, wall: { mean: 610, median: 337 } },
  writes: { function: null, wall: null },
} as const;

export const publishedCounts = { reads: '15 of 15', writes: '5 of 15' } as const;
