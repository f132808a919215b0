import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { drawStorage } from './draw-storage.ts';
import { figuresBelow } from './storage-table.ts';

const docs = new URL('../../../../docs/benchmarks/', import.meta.url);
const report = readFileSync(new URL('storage.md', docs), 'utf8');

test('the picture in docs is the one that `pnpm bench picture` draws from the tables beside it', () => {
  expect(drawStorage(report)).toBe(readFileSync(new URL('storage.svg', docs), 'utf8'));
});

test("the picture's figures are those of the table, by operation and engine", () => {
  const table =
    'Intro\n\n| operation | ours | git |\n| --- | --- | --- |\n| write | 2.7 / 5 | 33 ×12 |\n| list | 1 |  |\n\n';
  const figures = figuresBelow('Intro', table);
  expect(figures.get('write')).toEqual(
    new Map([
      ['ours', 2.7],
      ['git', 33],
    ]),
  );
  expect(figures.get('list')).toEqual(new Map([['ours', 1]]));
  expect(() => figuresBelow('Other', table)).toThrow('There is no table below "Other".');
});
