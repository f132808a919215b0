import { expect, test } from 'vitest';
import { type Texts, twoSnapshots } from '../../../test/two-snapshots.ts';
import { anchorsInEditedPages } from './anchors-in-edited-pages.ts';

interface Merge {
  moved?: Texts;
  joined?: readonly string[];
}

test.for<[name: string, before: Texts, after: Texts, merge: Merge, found: string[]]>([
  ['a page whose heading has another name', { 'P.md': '# A\n' }, { 'P.md': '# B\n' }, {}, ['P.md']],
  [
    'the same page after a move',
    { 'P.md': '# A\n' },
    { 'Q.md': '# B\n' },
    { moved: { 'P.md': 'Q.md' } },
    ['P.md'],
  ],
  ['a page whose headings stay', { 'P.md': '# A\n' }, { 'P.md': '# A\n\ntext\n' }, {}, []],
  ['a file that is no page', { 'notes.txt': '# A\n' }, { 'notes.txt': '# B\n' }, {}, []],
  ['a new page, and one that goes', { 'Old.md': '# A\n' }, { 'New.md': '# B\n' }, {}, []],
  [
    'a page whose place another one takes',
    { 'A.md': '# A\n', 'B.md': '# B\n' },
    { 'A.md': '# B\n' },
    { moved: { 'B.md': 'A.md' } },
    [],
  ],
  [
    'two pages that change places',
    { 'A.md': '# A\n', 'B.md': '# B\n' },
    { 'A.md': '# B\n', 'B.md': '# A\n' },
    { moved: { 'A.md': 'B.md', 'B.md': 'A.md' } },
    [],
  ],
  [
    'a page that becomes part of another one',
    { 'A.md': '# A\n', 'B.md': '# B\n' },
    { 'B.md': '# B\n\n# A 2\n' },
    { moved: { 'A.md': 'B.md' }, joined: ['A.md'] },
    [],
  ],
])(
  'anchors that an edit leads elsewhere: %s',
  async ([, before, after, { moved = {}, joined = [] }, found]) => {
    const movers = await anchorsInEditedPages({
      ...(await twoSnapshots(before, after)),
      moved: new Map(Object.entries(moved)),
      joined: new Map(joined.map((path) => [path, null])),
    });
    expect([...movers.keys()]).toEqual(found);
  },
);
