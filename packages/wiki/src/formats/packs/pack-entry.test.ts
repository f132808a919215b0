import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  encodeDistance,
  entryHeader,
  type ParsedEntry,
  parseEntryHeader,
  parsePackEntry,
  referenceHeader,
} from './pack-entry.ts';

const CONTENT = Buffer.from('A page with some text, with some text, with some text.\n');
const BASE = createHash('sha1').update('base').digest('hex');

const kinds = fc.constantFrom('commit', 'tree', 'blob', 'tag');
const sizes = fc.oneof(
  fc.nat(5000),
  fc.maxSafeNat(),
  fc.nat(45).map((bits) => 2 ** bits - 1),
);

test('an entry keeps its kind and size, and a delta its base, whatever they are', () => {
  fc.assert(
    fc.property(kinds, sizes, (kind, size) => {
      const bytes = entryHeader(kind, size);
      expect(bytes).toEqual(spelledHeader(NUMBERS[kind], size));
      const header = known(parseEntryHeader(Buffer.concat([bytes, CONTENT])));
      expect(header).toMatchObject({ size, length: bytes.length });
      expect(header.entryOf(CONTENT)).toEqual({ kind: 'whole', type: kind, content: CONTENT });
    }),
  );
  fc.assert(
    fc.property(sizes, sizes, (size, distance) => {
      const bytes = Buffer.concat([entryHeader('offset_delta', size), encodeDistance(distance)]);
      expect(bytes).toEqual(Buffer.concat([spelledHeader(6, size), spelledDistance(distance)]));
      const header = known(parseEntryHeader(bytes));
      expect(header).toMatchObject({ size, length: bytes.length });
      expect(header.entryOf(CONTENT)).toEqual({
        kind: 'offset_delta',
        baseDistance: distance,
        delta: CONTENT,
      });
    }),
  );
  fc.assert(
    fc.property(sizes, (size) => {
      const bytes = referenceHeader(BASE, size);
      expect(bytes).toEqual(Buffer.concat([spelledHeader(7, size), Buffer.from(BASE, 'hex')]));
      const header = known(parseEntryHeader(bytes));
      expect(header).toMatchObject({ size, length: bytes.length });
      expect(header.entryOf(CONTENT)).toEqual({ kind: 'reference_delta', baseOid: BASE, delta: CONTENT });
    }),
  );
});

test('an entry that is cut anywhere is read again with more bytes, and never taken for a shorter one', () => {
  const compressed = deflateSync(CONTENT);
  const headers = [
    entryHeader('blob', CONTENT.length),
    Buffer.concat([entryHeader('offset_delta', CONTENT.length), encodeDistance(70_000)]),
    referenceHeader(BASE, CONTENT.length),
  ];
  for (const header of headers) {
    const whole = Buffer.concat([header, compressed]);
    const parsed: ParsedEntry = parsePackEntry(Buffer.concat([whole, CONTENT]), CONTENT.length);
    expect(parsed).toMatchObject({ outcome: 'parsed', length: whole.length, headerLength: header.length });
    for (let length = 0; length < whole.length; length += 1) {
      const cut = parsePackEntry(whole.subarray(0, length), CONTENT.length);
      expect(cut.outcome, `${length} bytes`).toBe('truncated');
      const needed = cut.outcome === 'truncated' ? cut.bytesNeeded : 0;
      // From the end of the header on, it says enough at once.
      if (length < header.length) expect(needed).toBe(2 * length);
      else expect(needed).toBeGreaterThanOrEqual(whole.length);
      expect(needed).toBeLessThan(2 * whole.length + 100);
    }
  }
});

test('an entry that declares too much, is of no known kind or is damaged is refused with the reason', () => {
  const entry = Buffer.concat([entryHeader('blob', CONTENT.length), deflateSync(CONTENT)]);
  expect(parsePackEntry(entry, CONTENT.length - 1)).toEqual({ outcome: 'too large', size: CONTENT.length });
  for (const kind of [0, 5]) {
    const unknown = Buffer.concat([spelledHeader(kind, CONTENT.length), entry.subarray(2)]);
    expect(parsePackEntry(unknown, 100)).toEqual({ outcome: 'corrupt', reason: 'unknown kind of entry' });
  }
  for (const [says, content] of [
    [CONTENT.length - 1, deflateSync(CONTENT)],
    [CONTENT.length + 1, deflateSync(CONTENT)],
    [CONTENT.length, Buffer.alloc(100, 'x')],
  ] as const) {
    const damaged = Buffer.concat([entryHeader('blob', says), content]);
    expect(parsePackEntry(damaged, 100)).toEqual({ outcome: 'corrupt', reason: 'damaged compression' });
  }
});

const NUMBERS = { commit: 1, tree: 2, blob: 3, tag: 4 };

/** The header as a number in bits, written from gitformat-pack(5). */
function spelledHeader(kind: number, size: number): Uint8Array {
  const bits = size.toString(2);
  const rest = bits.slice(0, -4);
  const groups = groupsOfSeven(rest === '' ? '' : rest).reverse();
  const bytes = [kind.toString(2).padStart(3, '0') + bits.slice(-4).padStart(4, '0'), ...groups];
  return Uint8Array.from(
    bytes.map((byte, at) => Number.parseInt(`${at < bytes.length - 1 ? 1 : 0}${byte}`, 2)),
  );
}

/** The distance as git-pack documents it: of all spellings of n bytes the first is one more than the last of n-1 bytes. */
function spelledDistance(distance: number): Uint8Array {
  let [count, first] = [1, 0n];
  for (; BigInt(distance) >= first + 128n ** BigInt(count); count += 1) first += 128n ** BigInt(count);
  const bits = (BigInt(distance) - first).toString(2).padStart(7 * count, '0');
  const groups = groupsOfSeven(bits);
  return Uint8Array.from(groups.map((byte, at) => Number.parseInt(`${at < count - 1 ? 1 : 0}${byte}`, 2)));
}

/** Bits in groups of seven, the highest first. */
function groupsOfSeven(bits: string): string[] {
  const padded = bits.padStart(Math.ceil(bits.length / 7) * 7, '0');
  return padded.match(/.{7}/g) ?? [];
}

function known(header: ReturnType<typeof parseEntryHeader>) {
  if (typeof header === 'string') throw new Error(header);
  return header;
}
