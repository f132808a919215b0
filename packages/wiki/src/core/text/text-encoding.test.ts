import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText, encodeText, lineEndingOf, withLineEnding } from './text-encoding.ts';

test('valid text comes back byte for byte, with its byte order mark', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, bom) => {
      fc.pre(text.isWellFormed() && (bom || !text.startsWith('\ufeff')));
      const bytes = encodeText(text, bom);
      expect(decodeText(bytes)).toEqual({ text, bom, valid: true });
    }),
  );
});

test('a second byte order mark is text', () => {
  const bytes = encodeText('\ufeffx', true);
  const decoded = decodeText(bytes);
  expect(decoded).toEqual({ text: '\ufeffx', bom: true, valid: true });
  expect(encodeText(decoded.text, decoded.bom)).toEqual(bytes);
});

test('bytes that are not UTF-8 are read with replacement characters and said to be invalid', () => {
  expect(decodeText(Uint8Array.of(0x63, 0x61, 0x66, 0xe9))).toEqual({
    text: 'caf\ufffd',
    bom: false,
    valid: false,
  });
});

test('any bytes can be decoded, and valid ones encode to the same bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const { text, bom, valid } = decodeText(bytes);
      if (valid) expect(encodeText(text, bom)).toEqual(bytes);
    }),
  );
});

test('the line ending is that of most lines', () => {
  expect(lineEndingOf('')).toBe('\n');
  expect(lineEndingOf('a\r\nb\r\nc\n')).toBe('\r\n');
  expect(lineEndingOf('a\r\nb\n')).toBe('\n');
  expect(withLineEnding('a\r\nb\nc', '\r\n')).toBe('a\r\nb\r\nc');
  expect(withLineEnding('a\r\nb\nc', '\n')).toBe('a\nb\nc');
});
