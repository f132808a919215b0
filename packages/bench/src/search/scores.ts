import { randomNumbers } from '../../../../labs/wikis/wiki-text.ts';

/** The pages that an engine found for one question, and those that it should have found. */
export interface Answer {
  /** Paths, best first, at most ten. */
  found: readonly string[];
  wanted: readonly string[];
}

/** A mean over all questions, and the interval that holds it in 95 of 100 bootstrap samples. */
export interface Estimate {
  mean: number;
  low: number;
  high: number;
}

export const METRICS = ['success@1', 'success@5', 'success@10', 'MRR', 'nDCG@10', 'recall@5'] as const;
export type Metric = (typeof METRICS)[number];

export interface Scores extends Record<Metric, Estimate> {
  questions: number;
}

export function scoresOf(answers: readonly Answer[]): Scores {
  const scored = answers.map(scoreOf);
  const estimates = METRICS.map((metric) => [metric, estimate(scored.map((score) => score[metric]))]);
  return { questions: answers.length, ...(Object.fromEntries(estimates) as Record<Metric, Estimate>) };
}

function scoreOf({ found, wanted }: Answer): Record<Metric, number> {
  const hits = found.map((path) => wanted.includes(path));
  const first = hits.indexOf(true);
  const among = (count: number) => Number(first !== -1 && first < count);
  const gain = (isHit: boolean, at: number) => (isHit ? 1 / Math.log2(at + 2) : 0);
  return {
    'success@1': among(1),
    'success@5': among(5),
    'success@10': among(10),
    MRR: first === -1 ? 0 : 1 / (first + 1),
    'nDCG@10': sum(hits.map(gain)) / sum(wanted.slice(0, 10).map((_, at) => gain(true, at))),
    'recall@5': hits.slice(0, 5).filter(Boolean).length / wanted.length,
  };
}

/** The same values give the same interval. */
function estimate(values: readonly number[]): Estimate {
  const random = randomNumbers(BOOTSTRAP_SEED);
  const means = Array.from({ length: BOOTSTRAP_SAMPLES }, () => {
    const sample = values.map(() => values[Math.floor(random() * values.length)] as number);
    return sum(sample) / values.length;
  }).sort((a, b) => a - b);
  const at = (share: number) => means[Math.floor(share * (BOOTSTRAP_SAMPLES - 1))] as number;
  return { mean: sum(values) / values.length, low: at(0.025), high: at(0.975) };
}

const BOOTSTRAP_SAMPLES = 1_000;
const BOOTSTRAP_SEED = 22;

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
