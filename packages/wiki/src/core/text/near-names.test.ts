import { expect, test } from 'vitest';
import { nearNames } from './near-names.ts';

const paths = [
  'Guides/Getting Started',
  'Guides/Setup',
  'Home',
  'Archive/2024/Notes',
  'notes',
  '日本語/導入',
];

test('another case, another folder and a slip of the pen are near', () => {
  expect(nearNames('home', paths)[0]).toBe('Home');
  expect(nearNames('Getting Started', paths)[0]).toBe('Guides/Getting Started');
  expect(nearNames('Guides/Geting Startde', paths)[0]).toBe('Guides/Getting Started');
  expect(nearNames('Tutorials/Setup', paths)[0]).toBe('Guides/Setup');
  expect(nearNames('Docs/導入', paths)[0]).toBe('日本語/導入');
});

test('the same page elsewhere comes after the same path in another case', () => {
  expect(nearNames('Notes', paths)).toEqual(['notes', 'Archive/2024/Notes']);
});

test('nothing alike is no name', () => {
  expect(nearNames('xyzzy', paths)).toEqual([]);
  expect(nearNames('anything', [])).toEqual([]);
});

test('there are only the best few', () => {
  const many = Array.from({ length: 50 }, (_, number) => `Page ${number}`);
  expect(nearNames('Page 7x', many, 3)).toHaveLength(3);
  expect(nearNames('Page 7x', many, 3)[0]).toBe('Page 7');
});

test('100,000 paths take a moment', () => {
  const many = Array.from(
    { length: 100_000 },
    (_, number) => `Folder ${number % 100}/A page with number ${number}`,
  );
  const started = performance.now();
  expect(nearNames('Folder 1/a page with nmber 54301', many)[0]).toBe('Folder 1/A page with number 54301');
  expect(performance.now() - started).toBeLessThan(2_000);
});
