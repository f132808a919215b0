import { expect, test } from 'vitest';
import { type Texts, twoSnapshots } from '../../../test/two-snapshots.ts';
import { findUndoneMoves } from './undone-moves.ts';

test.for<[name: string, before: Texts, after: Texts, moved: Texts, replaced: string[]]>([
  ['a page that moves back', { 'f/A.md': 'a' }, { 'A.md': 'a' }, { 'f/A.md': 'A.md' }, []],
  [
    'two pages that change places again',
    { 'A.md': 'b', 'B.md': 'a' },
    { 'A.md': 'a', 'B.md': 'b' },
    { 'A.md': 'B.md', 'B.md': 'A.md' },
    [],
  ],
  [
    'a page that moves back over one that was written in its place',
    { 'A.md': 'other', 'B.md': 'a', 'Gone.md': 'gone' },
    { 'A.md': 'a' },
    { 'B.md': 'A.md' },
    ['A.md'],
  ],
  [
    'a page that moves back beside one of the same content that stays',
    { 'Same.md': 'a', 'B.md': 'a' },
    { 'Same.md': 'a', 'A.md': 'a' },
    { 'B.md': 'A.md' },
    [],
  ],
  ['a page that was written', { 'New.md': 'new' }, {}, {}, []],
  ['a page that was deleted', {}, { 'Old.md': 'old' }, {}, []],
  ['one page that was written and one that was deleted', { 'New.md': 'new' }, { 'Old.md': 'old' }, {}, []],
  [
    'two pages of one content, of which one comes back',
    { 'A.md': 'a', 'B.md': 'a' },
    { 'C.md': 'a' },
    {},
    [],
  ],
  ['one page of which two come back', { 'A.md': 'a' }, { 'B.md': 'a', 'C.md': 'a' }, {}, []],
])('an undo of %s', async ([, before, after, moved, replaced]) => {
  const { paths, ...snapshots } = await twoSnapshots(before, after);
  const found = await findUndoneMoves(snapshots, paths);
  expect({ moved: Object.fromEntries(found.moved), replaced: [...found.replaced] }).toEqual({
    moved,
    replaced,
  });
});
