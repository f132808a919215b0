import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Oid } from '../../formats/oid.ts';
import { OidList } from './oid-list.ts';

/** Oids with equal beginnings, and some that differ only there, so that many of them want one place. */
const oids: fc.Arbitrary<Oid> = fc
  .record({
    head: fc.oneof(fc.constantFrom('00000000', 'ffffffff', '0000007f'), hex(8)),
    rest: fc.oneof(fc.constantFrom('0'.repeat(32), 'f'.repeat(32)), hex(32)),
  })
  .map(({ head, rest }) => head + rest);

it('a list holds each oid once, in the order in which they came, like an array', () => {
  fc.assert(
    fc.property(fc.array(oids, { maxLength: 700, size: 'max' }), fc.array(oids), (added, others) => {
      const list = new OidList();
      const expected: Oid[] = [];
      for (const oid of added) {
        const isNew = !expected.includes(oid);
        expect(list.add(oid)).toBe(isNew);
        if (isNew) expected.push(oid);
      }
      expectSame(list, expected, others);
    }),
    { numRuns: 60 },
  );
});

it('a list comes back from its bytes, also from the middle of a larger buffer', () => {
  fc.assert(
    fc.property(fc.uniqueArray(oids, { maxLength: 300, size: 'max' }), fc.nat(50), (expected, before) => {
      const list = new OidList();
      for (const oid of expected) list.add(oid);
      expect(Buffer.from(list.bytes).toString('hex')).toBe(expected.join(''));
      const file = Buffer.concat([Buffer.alloc(before, 7), list.bytes, Buffer.alloc(9, 7)]);
      const read = OidList.from(file.subarray(before, file.length - 9));
      expectSame(read, expected, []);
      const another = 'e'.repeat(40);
      expect(read.add(another)).toBe(!expected.includes(another));
      expect(read.has(another)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

function expectSame(list: OidList, expected: readonly Oid[], others: readonly Oid[]): void {
  expect(list.size).toBe(expected.length);
  expect([...list]).toEqual(expected);
  expect(expected.map((oid) => list.positionOf(oid))).toEqual(expected.map((_, at) => at));
  expect(expected.map((_, at) => list.at(at))).toEqual(expected);
  expect([list.at(-1), list.at(expected.length)]).toEqual([null, null]);
  for (const oid of others) expect(list.has(oid)).toBe(expected.includes(oid));
}

function hex(length: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
}
