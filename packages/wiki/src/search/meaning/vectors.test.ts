import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeVectors, encodeVectors } from './vector-file.ts';
import { likeness, type Vector, vectorOf } from './vectors.ts';

const numbers = fc.float32Array({ minLength: 1, maxLength: 40, min: -10, max: 10, noNaN: true });

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
  return dot / (Math.hypot(...a) * Math.hypot(...b));
}

test('a byte a number keeps the likeness of vectors of any length', () => {
  const pair = fc.integer({ min: 2, max: 40 }).chain((length) => {
    const values = fc.float32Array({ minLength: length, maxLength: length, min: -10, max: 10, noNaN: true });
    return fc.tuple(values, values);
  });
  fc.assert(
    fc.property(pair, ([a, b]) => {
      const [first, second] = [vectorOf(a), vectorOf(b)];
      fc.pre(first !== null && second !== null);
      expect(Math.abs(likeness(first, second) - cosine(a, b))).toBeLessThan(0.06);
    }),
  );
});

test('a vector without a direction is none, and vectors of other dimensions are not alike', () => {
  expect(vectorOf(new Float32Array(3))).toBeNull();
  expect(vectorOf(Float32Array.of(1, Number.NaN))).toBeNull();
  const [short, long] = [vectorOf(Float32Array.of(1, 0)), vectorOf(Float32Array.of(1, 0, 0))];
  expect(short && long && likeness(short, long)).toBe(-1);
});

test('a file of vectors gives back what went into it', () => {
  const oid = fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((bytes) => Buffer.from(bytes).toString('hex'));
  const vectors = fc
    .array(numbers, { maxLength: 5 })
    .map((each) => each.flatMap((one) => vectorOf(one) ?? []));
  fc.assert(
    fc.property(fc.array(fc.tuple(oid, vectors), { maxLength: 10 }), (entries) => {
      const saved = new Map<string, Vector[]>(entries);
      const loaded = decodeVectors(encodeVectors(saved));
      expect([...loaded.keys()]).toEqual([...saved.keys()]);
      for (const [version, each] of saved) {
        expect(loaded.get(version)?.map(({ numbers }) => [...numbers])).toEqual(
          each.map(({ numbers }) => [...numbers]),
        );
        for (const [at, { scale }] of each.entries()) {
          expect(loaded.get(version)?.[at]?.scale).toBeCloseTo(scale, 6);
        }
      }
    }),
  );
});
