import { expect, test } from 'vitest';
import { LineCursor } from './line-cursor.ts';

const cursorAt = (line: string) => new LineCursor(line, 0, line.length);

test.each([
  ['***', true],
  ['  * *\t* ', true],
  ['*', true],
  ['* x *', false],
  ['x**', false],
  ['**x', false],
])('%j has only stars: %j', (line, has) => {
  const cursor = cursorAt(line);
  expect(cursor.hasOnly('*')).toBe(has);
  expect(cursor.hasOnly('*')).toBe(has);
});

test('what follows in the line is looked at, and not what was skipped', () => {
  const cursor = cursorAt('- + - -');
  expect(cursor.hasOnly('-')).toBe(false);
  cursor.skip(2);
  expect(cursor.hasOnly('-')).toBe(false);
  expect(cursor.hasOnly('+')).toBe(false);
  cursor.skip(1);
  expect(cursor.hasOnly('-')).toBe(true);
});

test('the next line is not looked at', () => {
  const cursor = new LineCursor('** \n \n*x', 0, 3);
  expect(cursor.hasOnly('*')).toBe(true);
  expect(cursor.isBlankAfter(2)).toBe(true);
  expect(cursor.isBlankAfter(1)).toBe(false);
});

test('white space is counted in columns', () => {
  const cursor = cursorAt('  \t  x');
  expect(cursor).toMatchObject({ indent: 6, rest: 'x', isBlank: false });
  cursor.skipIndent(3);
  expect(cursor).toMatchObject({ indent: 3, rest: 'x' });
  cursor.skipIndent(9);
  expect(cursor).toMatchObject({ indent: 0, rest: 'x' });
  expect(cursorAt(' \t ')).toMatchObject({ isBlank: true, rest: '' });
});
