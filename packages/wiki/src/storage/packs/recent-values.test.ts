import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecentValues } from './recent-values.ts';

const steps = fc.array(
  fc.record({ key: fc.nat(12), bytes: fc.constantFrom(0, 1, 10, 30, 49, 50, 51, 100), isRead: fc.boolean() }),
  { maxLength: 60 },
);

test('a key never gives a value of another key or an older one', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const values = new RecentValues<string>(100);
      const last = new Map<number, string>();
      for (const [at, { key, bytes, isRead }] of all.entries()) {
        const found = values.get(key);
        if (found !== undefined) expect(found).toBe(last.get(key));
        if (isRead || bytes > 50) continue;
        last.set(key, `${key} ${at}`);
        values.set(key, `${key} ${at}`, bytes);
        expect(values.get(key)).toBe(`${key} ${at}`);
      }
    }),
  );
});

test('values used last stay, the others go, and what takes more than half is not kept', () => {
  const values = new RecentValues<string>(100);
  values.set(0, 'too large', 51);
  expect(values.get(0)).toBeUndefined();
  values.set(0, 'half', 50);
  expect(values.get(0)).toBe('half');
  for (let key = 1; key <= 30; key += 1) {
    values.set(key, `${key}`, 10);
    // Used again and again, it stays.
    expect(values.get(1)).toBe('1');
  }
  expect(values.get(0)).toBeUndefined();
  expect([2, 19, 30].map((key) => values.get(key))).toEqual([undefined, undefined, '30']);
  // The same value again takes no more room.
  const again = new RecentValues<string>(100);
  again.set(1, 'kept', 20);
  for (let time = 0; time < 20; time += 1) again.set(2, 'again', 20);
  again.set(3, 'beside', 10);
  expect([again.get(1), again.get(2), again.get(3)]).toEqual(['kept', 'again', 'beside']);
});
