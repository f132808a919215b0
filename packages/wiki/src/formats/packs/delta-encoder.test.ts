import fc from 'fast-check';
import { expect, it } from 'vitest';
import { applyDelta } from './delta.ts';
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
