import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BrokenPktLine, DELIM, FLUSH, PktLines, pktLine, textOf } from './pkt-line.ts';

/** All lines of bytes, as text and names; ends with the message of the error, if there is one. */
function readAll(bytes: Uint8Array): string[] {
  const lines = new PktLines(bytes);
  const read: string[] = [];
  try {
    for (let line = lines.next(); line !== null; line = lines.next())
      read.push(line.kind === 'data' ? textOf(line.data) : `<${line.kind}>`);
  } catch (error) {
    if (!(error instanceof BrokenPktLine)) throw error;
    read.push(`! ${error.message}`);
  }
  return read;
}

test('lines of text and the special lines are read as they are written', () => {
  const bytes = Buffer.concat([pktLine('want'), DELIM, pktLine(''), FLUSH, Buffer.from('0002rest')]);
  expect(bytes.toString('latin1')).toBe('0009want\n00010005\n00000002rest');
  expect(readAll(bytes.subarray(0, -4))).toEqual(['want', '<delim>', '', '<flush>', '<end>']);
});

test('whatever is written is read again, and what follows is left', () => {
  const line = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((data) => ({ kind: 'data' as const, data })),
    fc.constantFrom(...(['flush', 'delim', 'end'] as const)).map((kind) => ({ kind })),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), fc.uint8Array(), (lines, rest) => {
      const special = { flush: '0000', delim: '0001', end: '0002' };
      const written = lines.map((each) =>
        each.kind === 'data' ? pktLine(each.data) : Buffer.from(special[each.kind]),
      );
      const read = new PktLines(Buffer.concat([...written, rest]));
      for (const each of lines) {
        const next = read.next();
        expect(next?.kind).toBe(each.kind);
        if (each.kind === 'data' && next?.kind === 'data')
          expect(Buffer.compare(next.data, each.data)).toBe(0);
      }
      expect(Buffer.compare(read.rest, rest)).toBe(0);
    }),
  );
});

test('hostile bytes are read to their end, or are broken: nothing else is thrown, and nothing is read twice', () => {
  const hostile = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc
      .array(fc.constantFrom('0000', '0001', '0003', '0004', 'fff0', 'ffff', '-001', '+1e1', '0x10', '00'), {
        maxLength: 8,
      })
      .map((parts) => Buffer.from(parts.join(''))),
  );
  fc.assert(
    fc.property(hostile, (bytes) => {
      const read = readAll(bytes);
      expect(read.length).toBeLessThanOrEqual(bytes.length / 4 + 1);
    }),
    { numRuns: 1_000 },
  );
});

describe('is broken', () => {
  test.each([
    ['a length that is not hexadecimal', '00g0abc', 'begin with its length'],
    ['a sign in the length', '-004', 'begin with its length'],
    ['a length that is cut off', '000', 'begin with its length'],
    ['the length 3, which says less than itself', '0003', 'length 0003'],
    ['a length that git never writes', `ffff${'x'.repeat(65_531)}`, 'length ffff'],
    ['a line that ends too early', '0009wan', 'cut off'],
  ])('%s', (_, text, message) => {
    expect(readAll(Buffer.from(text))).toEqual([expect.stringContaining(message)]);
  });
});

test('a line has as many bytes as git takes, and no more', () => {
  expect(pktLine(Buffer.alloc(65_516)).subarray(0, 4).toString()).toBe('fff0');
  expect(readAll(pktLine(Buffer.alloc(65_516, 'x')))).toEqual(['x'.repeat(65_516)]);
  expect(() => pktLine(Buffer.alloc(65_517))).toThrow(RangeError);
});
