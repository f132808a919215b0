import fc from 'fast-check';
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

test('the best names are suggested in their order, whichever comes first, and of equal ones the first', () => {
  const best = ['x/Notes', 'x/Notess', 'x/Notesss', 'x/Notessss', 'x/Notesssss', 'x/Notessssss'];
  for (const paths of [best, best.toReversed()]) {
    expect(nearNames('x/Notes', paths)).toEqual(best.slice(0, 5));
    expect(nearNames('x/Notes', paths, 2)).toEqual(best.slice(0, 2));
    expect(nearNames('x/Notes', paths, 1)).toEqual(best.slice(0, 1));
  }
  expect(nearNames('x/Notes', ['a/Notes', 'b/Notes', 'c/Notes'], 2)).toEqual(['a/Notes', 'b/Notes']);
});

test('the few names that are suggested are the first of all that are near, in any order of the pages', () => {
  const name = fc.stringMatching(/^(?:[xy]\/)?Notes?[abc]{0,4}$/);
  const missed = fc.constantFrom('x/Notes', 'Notesab', 'z/Noteabc');
  fc.assert(
    fc.property(
      fc.uniqueArray(name, { maxLength: 12 }),
      missed,
      fc.integer({ min: 1, max: 6 }),
      (paths, at, most) => {
        expect(nearNames(at, paths, most)).toEqual(nearNames(at, paths, paths.length + 1).slice(0, most));
      },
    ),
    { numRuns: 1_000 },
  );
});

test('a path that is almost the missing one comes before the same name in an unlike folder', () => {
  const [alike, elsewhere] = ['some/long/folders/Plan', 'x/Plan'];
  for (const paths of [
    [alike, elsewhere],
    [elsewhere, alike],
  ])
    expect(nearNames('some/long/folder/Plan', paths)).toEqual([alike, elsewhere]);
});

test.each([
  ['n/ab', 'n/ba', true],
  ['n/abcd', 'n/abdc', true],
  ['n/abcd', 'n/bacd', true],
  ['n/ab', 'n/bac', false],
  ['n/abxx', 'n/bayy', false],
  ['n/abcd', 'n/badc', false],
  ['n/ab', 'n/bc', false],
  ['n/ab', 'n/cb', false],
])(
  'names are near if two neighbouring letters are swapped, and no more: %s and %s',
  (missed, path, isNear) => {
    expect(nearNames(missed, [path])).toEqual(isNear ? [path] : []);
  },
);

test('a file is near by its name without the extension, and a very long path by both its ends', () => {
  expect(nearNames('x/a.config.png', ['x/a.config.js', 'x/b.other.png'])).toEqual(['x/a.config.js']);
  expect(nearNames('x/.env', ['x/.env1', 'x/.abc'])).toEqual(['x/.env1']);
  const middle = (letter: string) => `begin/${letter.repeat(300)}/end`;
  expect(nearNames(middle('a'), [middle('b'), middle('a')])).toEqual([middle('a'), middle('b')]);
  const long = (end: string) => `${'a folder/'.repeat(30)}${end}`;
  expect(nearNames(long('Setup'), [long('Other'), long('Setup!')])).toEqual([long('Setup!')]);
  const name = (letter: string) =>
    'begin of a name '.repeat(5) + letter.repeat(600) + 'end of a name   '.repeat(5);
  expect(nearNames(name('a'), [name('b')])).toEqual([name('b')]);
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
