/** The time of an operation, over many calls. */
export interface Timing {
  median_ms: number;
  p95_ms: number;
}

/** Times `operation` for each input, as many rounds as are asked for, after some that are not counted. */
export async function time<Input>(
  inputs: readonly Input[],
  operation: (input: Input) => Promise<unknown>,
  rounds = 1,
): Promise<Timing> {
  for (const input of rounds > 1 ? inputs : inputs.slice(0, 2)) await operation(input);
  const milliseconds: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const input of inputs) {
      const started = performance.now();
      await operation(input);
      milliseconds.push(performance.now() - started);
    }
  }
  return timingOf(milliseconds);
}

export function timingOf(milliseconds: readonly number[]): Timing {
  return { median_ms: percentile(milliseconds, 0.5), p95_ms: percentile(milliseconds, 0.95) };
}

/** Below which so large a `share` lies, from 0 to 1. */
export function percentile(milliseconds: readonly number[], share: number): number {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN);
}

/** A fixed piece of work, to compare machines by: 200 times the SHA-256 of 1 MB. */
export async function calibrate(): Promise<number> {
  const bytes = new Uint8Array(1_000_000);
  const started = performance.now();
  for (let round = 0; round < 200; round++) await crypto.subtle.digest('SHA-256', bytes);
  return round(performance.now() - started);
}

function round(milliseconds: number): number {
  return Number(milliseconds.toPrecision(3));
}
