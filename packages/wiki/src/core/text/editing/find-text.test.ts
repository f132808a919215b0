import fc from 'fast-check';
import { expect, test } from 'vitest';
import { idleCpuMsOf } from '../../../../test/machine-speed.ts';
import { textFinder } from './find-text.ts';

test('a text is found at the same offset as by indexOf', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 400 });
  fc.assert(
    fc.property(text, text, text, fc.nat(20), (before, wanted, after, from) => {
      const long = wanted.padEnd(251, 'ab');
      const page = before + long + after;
      expect(textFinder(long)(page, from)).toBe(page.indexOf(long, from));
      expect(textFinder(wanted)(after, from)).toBe(after.indexOf(wanted, from));
    }),
  );
});

test('a long text is found at its end, after many that begin like it, and nowhere if it is cut off', () => {
  fc.assert(
    fc.property(fc.nat(300), fc.nat(5), fc.constantFrom('', 'b', 'aab'), (length, times, rest) => {
      // Its borders are long, and there are borders of borders.
      const part = `${'a'.repeat(length)}b${'a'.repeat(length)}`;
      const wanted = `${part}c${part}`.padEnd(250 + times, 'ab');
      const page = wanted.slice(0, -1).repeat(times) + rest + wanted;
      expect(textFinder(wanted)(page)).toBe(page.indexOf(wanted));
      expect(textFinder(wanted)(page.slice(0, -1))).toBe(page.slice(0, -1).indexOf(wanted));
      expect(textFinder(`${wanted}\0`)(page)).toBe(-1);
    }),
  );
});

test('a search for a long text that almost matches everywhere takes time in proportion to both lengths', () => {
  const half = 'ab'.repeat(5_000);
  const find = textFinder(`${half}x${half}`);
  expect(idleCpuMsOf(() => expect(find('ab'.repeat(100_000))).toBe(-1))).toBeLessThan(200);
});
