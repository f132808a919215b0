import { describe, expect, test } from 'vitest';
import { type Texts, twoSnapshots } from '../../../test/two-snapshots.ts';
import { type ChangedNames, changedNames, namesAfter } from './changed-names.ts';

interface Merge {
  moved?: Texts;
  joined?: readonly string[];
  edited?: readonly string[];
}

/** The names that a change of these texts to those adds and removes, as plain data. */
async function namesOf(before: Texts, after: Texts, { moved = {}, joined = [], edited = [] }: Merge = {}) {
  const { keys, removed, added, renamed, aliases } = await changedNames({
    ...(await twoSnapshots(before, after)),
    moved: new Map(Object.entries(moved)),
    joined: new Map(joined.map((path) => [path, null])),
    edited: new Set(edited),
  });
  return { keys: [...keys].toSorted(), removed: [...removed], added, renamed: [...renamed], aliases };
}

const page = (...aliases: readonly string[]) => `---\naliases: [${aliases.join(', ')}]\n---\n`;
const NONE = { keys: [], removed: [], added: [], renamed: [], aliases: [] };

describe('the names that a change adds and removes', () => {
  test('are those of pages and files that come and go, with the aliases of pages', async () => {
    expect(
      await namesOf(
        { 'Old.md': page('Was'), 'Same.md': page('Stays') },
        {
          'Same.md': page('Stays'),
          'New.md': page('Is'),
          'f/note.txt': page('no alias'),
        },
      ),
    ).toEqual({
      keys: ['is', 'new', 'note.txt', 'old', 'was'],
      removed: ['Old.md'],
      added: ['New.md', 'f/note.txt'],
      renamed: ['Old.md', 'New.md', 'f/note.txt'],
      aliases: [['Is', 'New.md']],
    });
  });

  test('are the aliases that an edited page has no more, and has now', async () => {
    expect(await namesOf({ 'P.md': page('One', 'Two') }, { 'P.md': page('Two', 'Three') })).toEqual({
      ...NONE,
      keys: ['one', 'three'],
      renamed: ['P.md'],
      aliases: [
        ['Two', 'P.md'],
        ['Three', 'P.md'],
      ],
    });
  });

  test('are all those of a page that moves, that takes another one in, or whose anchors changed', async () => {
    const [before, after] = [{ 'P.md': `${page('Nick')}a` }, { 'P.md': `${page('Nick')}b` }];
    expect((await namesOf(before, after)).keys).toEqual([]);
    expect((await namesOf(before, after, { edited: ['P.md'] })).keys).toEqual(['nick', 'p']);
    expect((await namesOf(before, after, { joined: ['P.md'] })).keys).toEqual(['nick', 'p']);
    expect((await namesOf(before, after, { moved: { 'Q.md': 'P.md' } })).keys).toEqual(['nick', 'p']);
  });

  test('are both of two pages of one content that change places, which are no other files', async () => {
    const texts = { 'A.md': page('Nick'), 'B.md': page('Nick'), 'C.md': page('Nick', 'Other') };
    const moved = { 'A.md': 'B.md', 'B.md': 'A.md' };
    expect(await namesOf(texts, texts, { moved })).toEqual({ ...NONE, keys: ['a', 'b', 'nick'] });
  });
});

describe('of two files with one page path', () => {
  const [composed, decomposed] = ['\u00e9.md', 'e\u0301.md'];

  test('the one that comes and is hidden adds no name', async () => {
    const found = await namesOf(
      { [composed]: page('One') },
      { [composed]: page('One'), [decomposed]: page('Two') },
    );
    expect(found).toMatchObject({ added: [], removed: [] });
  });

  test.each([
    ['comes and hides the other', decomposed, composed, { [decomposed]: page('Two') }, 'One'],
    [
      'was hidden and is left',
      composed,
      decomposed,
      { [composed]: page('One'), [decomposed]: page('Two') },
      'Two',
    ],
  ])('the one that %s has the name', async (_, was, is, before, alias) => {
    const both = { [composed]: page('One'), [decomposed]: page('Two') };
    const after = is === composed ? both : { [decomposed]: page('Two') };
    const found = await namesOf(before, after);
    expect(found.keys).toEqual(['one', 'two', '\u00e9']);
    expect(new Set(found.renamed)).toEqual(new Set([was, is]));
    expect(found.removed).toEqual([was]);
    expect(new Set(found.added)).toEqual(new Set([is]));
    expect([...new Map(found.aliases)]).toEqual([[alias, is]]);
  });

  test('one that comes or goes alone is like any other file', async () => {
    const [none, one] = [{}, { [composed]: page('One') }];
    const names = { ...NONE, keys: ['one', '\u00e9'], renamed: [composed] };
    expect(await namesOf(none, one)).toEqual({ ...names, added: [composed], aliases: [['One', composed]] });
    expect(await namesOf(one, none)).toEqual({ ...names, removed: [composed] });
  });

  test('the one that is shown still has its name when the hidden one goes', async () => {
    const found = await namesOf(
      { [composed]: page('One'), [decomposed]: page('Two') },
      { [composed]: page('One') },
    );
    expect(found).toMatchObject({ added: [], removed: [decomposed], renamed: [decomposed], aliases: [] });
  });
});

test('the names after a change are those before it, without those that went, and with those that came', () => {
  const change: ChangedNames = {
    keys: new Set(),
    removed: new Set(['Old.md']),
    added: ['New.md', 'Kept.md'],
    renamed: new Set(['Old.md', 'New.md', 'Edited.md']),
    aliases: [['Now', 'Edited.md']],
  };
  const before = {
    treePaths: ['Old.md', 'Edited.md', 'Kept.md'],
    aliases: [['Was', 'Old.md'] as const, ['Then', 'Edited.md'] as const, ['Still', 'Kept.md'] as const],
  };
  expect(namesAfter(before, change)).toEqual({
    treePaths: ['Edited.md', 'Kept.md', 'New.md'],
    aliases: [
      ['Still', 'Kept.md'],
      ['Now', 'Edited.md'],
    ],
  });
});
