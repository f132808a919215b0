import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodePackIndex } from '../../formats/packs/pack-index.ts';
import { PackMap } from './pack-map.ts';

/** Oids that often share their first byte, or their first four bytes. */
const oids = fc
  .tuple(fc.constantFrom('00', '7f', '80', 'ff', 'ab'), fc.constantFrom('', '000000', 'ffffff'), fc.nat())
  .map(([first, next, rest]) =>
    `${first}${next}${createHash('sha1').update(`${rest}`).digest('hex')}`.slice(0, 40),
  );

test('every object of a pack is found by its oid and by its place, and no other is', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(oids, { maxLength: 60 }),
      fc.array(oids, { maxLength: 20 }),
      (here, others) => {
        const entries = here.map((oid, at) => ({ oid, crc32: at * 7, offset: 12 + at * 11 }));
        const end = 12 + here.length * 11;
        const bytes = encodePackIndex(entries, Buffer.alloc(20, 9));
        const map = PackMap.parse(Buffer.concat([Buffer.alloc(3), bytes]).subarray(3), end);
        if (map === null) throw new Error('not parsed');
        expect(Buffer.from(map.packChecksum)).toEqual(Buffer.alloc(20, 9));
        const sorted = [...here].sort();
        for (const { oid, crc32, offset } of entries) {
          const position = map.find(oid);
          expect(position).toBe(sorted.indexOf(oid));
          expect(map.oidAt(position ?? 0)).toBe(oid);
          expect(map.crc32At(position ?? 0)).toBe(crc32);
          expect(map.rangeOf(position ?? 0)).toEqual({ offset, end: offset + 11 });
          expect([-1, 0, 1].map((by) => map.positionAtOffset(offset + by))).toEqual([null, position, null]);
        }
        expect(map.positionAtOffset(end)).toBeNull();
        for (const oid of others) expect(map.find(oid)).toBe(here.includes(oid) ? sorted.indexOf(oid) : null);
      },
    ),
  );
});

test('a cut index, or one of a pack of 2 GB or more, has no map', () => {
  const entries = [{ oid: 'a'.repeat(40), crc32: 1, offset: 12 }];
  const bytes = encodePackIndex(entries, Buffer.alloc(20));
  expect(PackMap.parse(bytes, 30)).not.toBeNull();
  expect(PackMap.parse(bytes.subarray(0, -1), 30)).toBeNull();
  expect(PackMap.parse(Buffer.concat([bytes, Buffer.alloc(1)]), 30)).toBeNull();
  expect(PackMap.parse(Buffer.from(bytes).fill(0, 0, 1), 30)).toBeNull();
  const large = [...entries, { oid: 'b'.repeat(40), crc32: 1, offset: 2 ** 31 }];
  expect(PackMap.parse(encodePackIndex(large, Buffer.alloc(20)), 2 ** 31 + 9)).toBeNull();
  // Counts that say more than there is.
  const lying = Buffer.from(bytes);
  lying.fill(255, 8 + 4 * 200, 8 + 4 * 201);
  expect(PackMap.parse(lying, 30)?.find('c9'.padEnd(40, '0'))).toBeNull();
  expect(PackMap.parse(lying, 30)?.find('c8'.padEnd(40, '0'))).toBeNull();
});
