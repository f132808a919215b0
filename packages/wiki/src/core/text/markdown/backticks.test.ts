import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstAfter, positionsByLength } from './backticks.ts';

test('every run of backticks is found once, by its whole length', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 4 })), (lengths) => {
      const wanted = new Map<number, number[]>();
      let text = '';
      for (const length of lengths) {
        if (length > 0) wanted.set(length, [...(wanted.get(length) ?? []), text.length]);
        text += `${'`'.repeat(length)}x`;
      }
      expect(positionsByLength(text)).toEqual(wanted);
    }),
  );
});

test('the first position behind another is found', () => {
  const ascending = fc.uniqueArray(fc.nat({ max: 20 })).map((places) => places.toSorted((a, b) => a - b));
  fc.assert(
    fc.property(ascending, fc.integer({ min: -1, max: 21 }), (positions, at) => {
      expect(firstAfter(positions, at)).toBe(positions.find((position) => position > at));
    }),
  );
});
