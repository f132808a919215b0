import fc from 'fast-check';
import { expect, test } from 'vitest';
import { idleCpuMsOf } from '../../../test/machine-speed.ts';
import { normalForm } from './normal-form.ts';

test('the normal form of any text is the one of Unicode', () => {
  const mark = fc.constantFrom('\u0301', '\u0323', '\u0315', '\uff9e', 'a', 'ﬁ', '가', '\u1100', '\u1161');
  const marked = fc.array(mark, { maxLength: 29 }).map((marks) => marks.join(''));
  const text = fc.array(fc.oneof(marked, fc.string({ unit: 'grapheme' })), { maxLength: 9 });
  fc.assert(
    fc.property(text, fc.constantFrom('NFC', 'NFKC', 'NFKD'), (parts, form) => {
      const whole = parts.join('x') + 'x'.repeat(500);
      expect(normalForm(whole, form)).toBe(whole.normalize(form));
    }),
  );
});

test('a page of combining marks is normalized quickly', () => {
  const text = `a${'\u0315\u0300\u05ae\u0300'.repeat(250_000)}`;
  const used = idleCpuMsOf(() => expect(normalForm(text, 'NFKD')).toHaveLength(text.length));
  expect(used).toBeLessThan(5_000);
});
