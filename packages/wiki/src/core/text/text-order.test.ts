import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareText } from './text-order.ts';

test('texts are ordered as their UTF-8 bytes are', () => {
  const unlike = ['a', 'z', '\u00e9', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{1f600}', '\u{10ffff}'];
  const texts = fc
    .array(fc.constantFrom(...unlike), { maxLength: 5 })
    .map((characters) => characters.join(''));
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
    { numRuns: 500 },
  );
});
