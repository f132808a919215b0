import { expect, test } from 'vitest';
import { idleCpuMsOf } from '../../../../test/machine-speed.ts';
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

test('names with two swapped letters are near, short names too', () => {
  for (const slip of ['Noets', 'Ntoes', 'n/Noets'])
    expect(nearNames(slip, ['n/Notes', 'n/Plan', 'Other'])).toEqual(['n/Notes']);
  expect(nearNames('Paln', ['n/Notes', 'n/Plan', 'Other'])).toEqual(['n/Plan']);
  expect(nearNames('Plna', ['n/Plan'])).toEqual(['n/Plan']);
});

test('the same page elsewhere comes after the same path in another case', () => {
  expect(nearNames('Notes', paths)).toEqual(['notes', 'Archive/2024/Notes']);
});

test('pages of the same folder come first, and only if their own names are alike', () => {
  const vault = [
    'north/Weekly Notes',
    'south/Weekly Note',
    'south/Weakly Nodes',
    'south/Other things',
    'Plan',
  ];
  expect(nearNames('south/Weekly Notes', vault)).toEqual([
    'south/Weekly Note',
    'south/Weakly Nodes',
    'north/Weekly Notes',
  ]);
  expect(nearNames('very/long/folder/name/Alpha', ['very/long/folder/name/Omega', 'x/Alpha'])).toEqual([
    'x/Alpha',
  ]);
});

test('an extension makes no files of a folder alike', () => {
  expect(nearNames('chart.png', ['a.png', 'images/Chart.png'])[0]).toBe('images/Chart.png');
});

test('no name is suggested if none is similar', () => {
  expect(nearNames('xyzzy', paths)).toEqual([]);
  expect(nearNames('anything', [])).toEqual([]);
});

test('only the few best names are suggested', () => {
  const many = Array.from({ length: 50 }, (_, number) => `Page ${number}`);
  expect(nearNames('Page 7x', many, 3)).toHaveLength(3);
  expect(nearNames('Page 7x', many, 3)[0]).toBe('Page 7');
});

test('100,000 paths take a moment', () => {
  const many = Array.from(
    { length: 100_000 },
    (_, number) => `Folder ${number % 100}/A page with number ${number}`,
  );
  const used = idleCpuMsOf(() => {
    expect(nearNames('Folder 1/a page with nmber 54301', many)[0]).toBe('Folder 1/A page with number 54301');
  });
  expect(used).toBeLessThan(2_000);
});
