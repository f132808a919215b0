/** A vector of length 1 in a byte a number: what is lost is far below what two texts differ by. */
export interface Vector {
  /** The value of 1 in `numbers`. */
  scale: number;
  numbers: Int8Array;
}

/** Null for a vector without a direction. */
export function vectorOf(values: Float32Array): Vector | null {
  const length = Math.hypot(...values);
  if (!Number.isFinite(length) || length === 0) return null;
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  const numbers = Int8Array.from(values, (value) => Math.round((value / largest) * LARGEST));
  return { scale: largest / length / LARGEST, numbers };
}

const LARGEST = 127;

/** The cosine of the angle between two vectors: 1 for the same direction. Vectors of other dimensions are not alike. */
export function likeness(a: Vector, b: Vector): number {
  if (a.numbers.length !== b.numbers.length) return -1;
  let sum = 0;
  for (let at = 0; at < a.numbers.length; at += 1) {
    sum += (a.numbers[at] as number) * (b.numbers[at] as number);
  }
  return sum * a.scale * b.scale;
}
