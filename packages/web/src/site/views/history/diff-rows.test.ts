import { expect, test } from 'vitest';
import { idleCpuMsOf } from '../../../../../wiki/test/machine-speed.ts';
import { type DiffRow, diffRows } from './diff-rows.ts';

const diffOf = (pairs: readonly (readonly [string, string])[]) =>
  `@@ -1 +1 @@\n${pairs.map(([old]) => `-${old}\n`).join('')}${pairs.map(([, now]) => `+${now}\n`).join('')}`;
const hasMarks = (row: DiffRow) => row !== 'gap' && row.new?.pieces.some(({ changed }) => changed) === true;

test('the words that differ are marked, in long lines too', () => {
  const words = (changed: string) =>
    Array.from({ length: 600 }, (_, at) => (at % 60 === 0 ? changed : 'word')).join(' ');
  const rows = diffRows(diffOf([['a b c', 'a x c'], ...Array(5).fill([words('old'), words('new')])]));
  expect(rows.map(hasMarks)).toEqual([true, true, true, true, true, true]);
  expect(rows[0]).toMatchObject({
    new: { pieces: [{ text: 'a ' }, { text: 'x', changed: true }, { text: ' c' }] },
  });
});

const HOSTILE: [string, [string, string][]][] = [
  ['two lines of other marks', Array(2).fill(['.,'.repeat(1_990), ';:'.repeat(1_990)])],
  ['lines of marks that move', Array(10).fill(['.a,b'.repeat(490), ',b.c'.repeat(490)])],
  ['many lines with half of their words', Array(60).fill(['.a,a'.repeat(80), '.b,b'.repeat(80)])],
];

test.each(HOSTILE)('%s take no long comparison, and are whole lines that changed', (_, pairs) => {
  let rows: DiffRow[] = [];
  const ms = idleCpuMsOf(() => {
    rows = diffRows(diffOf(pairs));
  });
  process.stdout.write(`${Math.round(ms)} ms\n`);
  expect(ms).toBeLessThan(1_000);
  const last = rows.at(-1);
  expect(last).toMatchObject({ changed: true });
  expect(last !== undefined && hasMarks(last)).toBe(false);
});
