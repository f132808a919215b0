import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineSplitter } from './line-splitter.ts';

test('lines are split the same way however the input is chunked', () => {
  const lines = fc.array(
    fc.string({ unit: 'grapheme', maxLength: 40 }).filter((line) => !line.includes('\n')),
  );
  fc.assert(
    fc.property(lines, fc.array(fc.nat(50)), (expected, cuts) => {
      const bytes = Buffer.from(expected.map((line) => `${line}\n`).join(''));
      expect(split(new LineSplitter(1_000), bytes, cuts)).toEqual(
        expected.map((text) => ({ kind: 'line', text })),
      );
    }),
  );
});

test('of a line that is too long both ends are kept, and the next line is read', () => {
  const long = `head${'x'.repeat(1_000_000)}tail`;
  const lines = split(new LineSplitter(5_000), Buffer.from(`first\n${long}\nlast\n`), Array(100).fill(1_234));
  expect(lines.map((line) => line.kind)).toEqual(['line', 'too_long', 'line']);
  expect(lines[1]).toMatchObject({
    head: expect.stringMatching(/^head/),
    tail: expect.stringMatching(/tail$/),
  });
  expect(lines[2]).toEqual({ kind: 'line', text: 'last' });
});

test('the limit itself still fits', () => {
  const splitter = new LineSplitter(10);
  expect([...splitter.push(Buffer.from('0123456789\n01234567890\n'))].map((line) => line.kind)).toEqual([
    'line',
    'too_long',
  ]);
});

/** Pushes the bytes in chunks of the given sizes, and the rest at once. */
function split(splitter: LineSplitter, bytes: Buffer, sizes: number[]) {
  const lines = [];
  let start = 0;
  for (const size of [...sizes, bytes.length]) {
    lines.push(...splitter.push(bytes.subarray(start, start + size)));
    start += size;
  }
  return lines;
}
