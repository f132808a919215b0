import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareText } from './text-order.ts';

test('texts are ordered as their UTF-8 bytes are', () => {
  const texts = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
    { examples: [['\u{1f600}', '\uffff']] },
  );
});
