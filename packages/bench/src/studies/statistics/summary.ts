import jstat from 'jstat';
import { max, mean, median, min, sampleStandardDeviation } from 'simple-statistics';

export interface Summary {
  readonly count: number;
  readonly mean: number;
  readonly median: number;
  /** By nearest rank: a value that was measured. */
  readonly p95: number;
  readonly min: number;
  readonly max: number;
}

/** @returns null if there is nothing to sum up. */
export function summaryOf(values: readonly number[]): Summary | null {
  if (values.length === 0) return null;
  const own = [...values];
  return {
    count: own.length,
    mean: mean(own),
    median: median(own),
    p95: own.toSorted((a, b) => a - b)[Math.ceil(0.95 * own.length) - 1] ?? Number.NaN,
    min: min(own),
    max: max(own),
  };
}

export interface Band {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** The mean and its 95 % confidence interval by Student's t; null for fewer than two values, which have none. */
export function confidenceBand(values: readonly number[]): Band | null {
  if (values.length < 2) return null;
  const own = [...values];
  const center = mean(own);
  const t = jstat.jStat.studentt.inv(0.975, own.length - 1);
  const half = (t * sampleStandardDeviation(own)) / Math.sqrt(own.length);
  return { mean: center, low: center - half, high: center + half };
}
