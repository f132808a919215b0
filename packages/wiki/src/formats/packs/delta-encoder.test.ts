import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lengthBytes } from '../../../test/git-input/bundles.ts';
import { applyDelta, deltaSizes } from './delta.ts';
import { encodeDelta } from './delta-encoder.ts';

const piece = fc.constantFrom(
  '',
  'a',
  'the same words again and again. ',
  '0123456789abcdef',
  '\0\0\0\0',
  'Ünï',
);
const text = fc
  .array(fc.oneof(piece, fc.string()), { maxLength: 40 })
  .map((parts) => Buffer.from(parts.join('')));

it('makes deltas that give the object back', () => {
  fc.assert(
    fc.property(text, text, (base, target) => {
      const delta = encodeDelta(base, target, Number.POSITIVE_INFINITY);
      expect(delta && Buffer.from(applyDelta(base, delta))).toEqual(target);
    }),
  );
});

it('finds a small delta between large objects, and gives up on a large one', () => {
  const base = Buffer.alloc(300_000, 'All work and no play makes Jack a dull boy, line after line.\n');
  for (let at = 0; at < base.length; at += 4) base.writeUInt32LE((at * 2654435761) % 2 ** 32, at);
  const target = Buffer.concat([base.subarray(0, 100_000), Buffer.from('new'), base.subarray(100_007)]);
  const delta = encodeDelta(base, target, 1000);
  expect(delta?.length).toBeLessThan(60);
  expect(delta && Buffer.from(applyDelta(base, delta)).equals(target)).toBe(true);
  expect(encodeDelta(Buffer.alloc(5000, 'x'), base, 1000)).toBeNull();
});

it('gives up exactly when the delta exceeds its limit', () => {
  fc.assert(
    fc.property(text, text, (base, target) => {
      const delta = encodeDelta(base, target, Number.POSITIVE_INFINITY) ?? new Uint8Array();
      expect(encodeDelta(base, target, delta.length)).toEqual(delta);
      expect(encodeDelta(base, target, delta.length - 1)).toBeNull();
    }),
  );
});

it('makes deltas between parts of larger buffers, at any offset', () => {
  const around = (bytes: Uint8Array, before: number) =>
    Buffer.concat([Buffer.alloc(before, 'x'), bytes, Buffer.from('after')]).subarray(
      before,
      before + bytes.length,
    );
  fc.assert(
    fc.property(text, text, fc.nat(40), (base, target, before) => {
      const delta = encodeDelta(around(base, before), around(target, before + 1), Number.POSITIVE_INFINITY);
      expect(delta).toEqual(encodeDelta(base, target, Number.POSITIVE_INFINITY));
    }),
  );
});

it('copies everything around an insertion, and inserts nothing else', () => {
  const base = Buffer.from(Array.from({ length: 100 }, (_, at) => at));
  const target = Buffer.concat([base.subarray(0, 41), Buffer.from('new'), base.subarray(41)]);
  const delta = encodeDelta(base, target, 1000);
  const instructions = [0x90, 41, 3, ...Buffer.from('new'), 0x91, 41, 59];
  expect(delta).toEqual(Uint8Array.from([100, 103, ...instructions]));
  // One block alone, at the end of both.
  expect(encodeDelta(base.subarray(0, 32), base.subarray(16, 32), 1000)).toEqual(
    Uint8Array.from([32, 16, 0x91, 16, 16]),
  );
});

it('gives back a long page whose lines changed places, with hundreds of copies and insertions', () => {
  const lines = Array.from({ length: 400 }, (_, at) =>
    `${at} is a line that ends as others do.\n`.padStart(48),
  );
  const base = Buffer.from(lines.join(''));
  const places = fc.array(fc.oneof(fc.nat(399), fc.constant(400)), {
    minLength: 200,
    maxLength: 400,
    size: 'max',
  });
  fc.assert(
    fc.property(places, fc.string({ maxLength: 300 }), (order, added) => {
      const target = Buffer.from(order.map((at) => lines[at] ?? added).join(''));
      const delta = encodeDelta(base, target, Number.POSITIVE_INFINITY) ?? new Uint8Array();
      expect(Buffer.from(applyDelta(base, delta)).equals(target)).toBe(true);
      // A copy takes at most 8 bytes.
      const addedBytes = order.filter((at) => at === 400).length * (Buffer.byteLength(added) + 10);
      expect(delta.length).toBeLessThan(10 + 8 * order.length + addedBytes);
    }),
    { numRuns: 20 },
  );
});

it('says the sizes of both texts, however many bytes they take', () => {
  for (const length of [0, 1, 127, 128, 129, 255, 256, 16_383, 16_384, 16_385]) {
    const [base, target] = [Buffer.alloc(length, 'a'), Buffer.alloc(length + 128, 'a')];
    const delta = encodeDelta(base, target, Number.POSITIVE_INFINITY) ?? new Uint8Array();
    const sizes = Buffer.concat([lengthBytes(length), lengthBytes(length + 128)]);
    expect(Buffer.from(delta.subarray(0, sizes.length))).toEqual(sizes);
    expect(deltaSizes(delta)).toEqual({ base: length, result: length + 128 });
    expect(Buffer.from(applyDelta(base, delta)).equals(target)).toBe(true);
  }
});
