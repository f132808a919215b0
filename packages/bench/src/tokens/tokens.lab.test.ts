import { expect, test } from 'vitest';
import { measureTokens } from './bench-tokens.ts';

test('no task of an agent costs more bytes than as JSON, and all together cost half at most', async () => {
  const rows = await measureTokens();
  expect(rows.length).toBe(30);
  expect(rows.filter(({ before, after }) => after > before).map(({ name }) => name)).toEqual([]);
  const sum = (part: 'before' | 'after') => rows.reduce((total, row) => total + row[part], 0);
  expect(sum('before')).toBeGreaterThan(100_000);
  expect(sum('after')).toBeLessThanOrEqual(sum('before') / 2);
});
