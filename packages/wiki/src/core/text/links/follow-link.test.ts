import { describe, expect, test } from 'vitest';
import { changeOf, follow, moveIn } from '../../../../test/links/changed-wiki.ts';
import { scanBlocks } from '../markdown/markdown-blocks.ts';
import { scanInline } from '../markdown/markdown-links.ts';
import type { AnchorMover } from '../merging/merged-anchors.ts';
import { isRetargeted, type LinkChange } from './follow-link.ts';
import { createLinkResolver } from './link-resolver.ts';

describe('a page has to be read if one of its links', () => {
  const retargeted = (text: string, change: LinkChange, page = 'P.md') => {
    const [link] = scanInline(text, scanBlocks(text)).links;
    if (link === undefined) throw new Error(`There is no link in ${text}.`);
    return isRetargeted(link, page, change);
  };
  const anchors = (mover: AnchorMover) => ({ anchors: new Map([['A.md', mover]]) });
  const same = ['P.md', 'A.md'];

  test.each<[string, boolean, string, LinkChange]>([
    ['led nowhere and still does', false, '[[X]]', changeOf(same, same)],
    ['led nowhere and leads to a new page', true, '[[X]]', changeOf(same, [...same, 'X.md'])],
    ['led to a page that is gone', true, '[[A]]', changeOf(same, ['P.md'])],
    ['leads to the same page', false, '[[A]]', changeOf(same, [...same, 'B.md'])],
    ['leads to its own page, which is gone', false, '[[#x]]', changeOf(same, ['A.md'])],
    ['leads to its own page, which moved', false, '[[#x]]', changeOf(same, ['Q.md'], { 'P.md': 'Q.md' })],
    ['follows its page by name', false, '[[A]]', changeOf(same, ['P.md', 'f/A.md'], { 'A.md': 'f/A.md' })],
    ['shows an old name', true, '[[a]]', changeOf(same, ['P.md', 'B.md'], { 'A.md': 'B.md' })],
    [
      'was a path from the folder and is a name now',
      true,
      '[a](f/A.md)',
      changeOf(['d/P.md', 'd/f/A.md'], ['d/P.md', 'e/f/A.md'], { 'd/f/A.md': 'e/f/A.md' }),
    ],
    ['was a path from the folder and is one', false, '[a](A.md)', changeOf(same, [...same, 'C.md'])],
    [
      'was a name and is a path from the folder',
      false,
      '[a](f/A.md)',
      changeOf(['d/P.md', 'e/f/A.md'], ['d/P.md', 'd/f/A.md'], { 'e/f/A.md': 'd/f/A.md' }),
    ],
    [
      'leads to a place that has another name',
      true,
      '[[A#x]]',
      changeOf(
        same,
        same,
        {},
        anchors(() => ({ anchor: 'y', was: true, isKept: true })),
      ),
    ],
    [
      'leads to a place that is not kept',
      true,
      '[[A#x]]',
      changeOf(
        same,
        same,
        {},
        anchors((anchor) => ({ anchor, was: true, isKept: false })),
      ),
    ],
    [
      'leads to a place that stays',
      false,
      '[[A#x]]',
      changeOf(
        same,
        same,
        {},
        anchors((anchor) => ({ anchor, was: true, isKept: true })),
      ),
    ],
    [
      'leads to no place in a merged page',
      false,
      '[[A]]',
      changeOf(
        same,
        same,
        {},
        anchors(() => ({ anchor: 'y', was: true, isKept: true })),
      ),
    ],
  ])('%s: %s', (_, expected, text, change) => {
    expect(retargeted(text, change, text.includes('(f/') ? 'd/P.md' : 'P.md')).toBe(expected);
  });
});

describe('a link to a place in its own page', () => {
  const mover =
    (anchors: Record<string, string>): AnchorMover =>
    (anchor) => ({
      anchor: anchors[anchor] ?? anchor,
      was: true,
      isKept: true,
    });
  const merged = (anchors: Record<string, string>) =>
    changeOf(
      ['P.md', 'Q.md'],
      ['Q.md'],
      { 'P.md': 'Q.md' },
      { anchors: new Map([['P.md', mover(anchors)]]) },
    );

  test.each([
    ['[[#One]]', '[[#One 2|One]]'],
    ['[[#One|text]]', '[[#One 2|text]]'],
    ['![[#One]]', '![[#One 2]]'],
    ['[text](#One)', '[text](#One%202)'],
    ['[[#Two]] [text](#two)', '[[#Two]] [text](#two)'],
    ['| [[#One]] |\n|---|\n', '| [[#One 2\\|One]] |\n|---|\n'],
  ])('gets the new name of the place: %s', (text, expected) => {
    expect(follow(text, merged({ One: 'One 2' }))).toMatchObject({ text: expected, retargeted: [] });
  });

  test('stays, and is not reported, where the page moves and nothing else', () => {
    const moved = changeOf(['P.md'], ['f/Q.md'], { 'P.md': 'f/Q.md' });
    expect(follow('[[#One]] [text](#One)', moved)).toEqual({
      text: '[[#One]] [text](#One)',
      count: 0,
      retargeted: [],
    });
  });

  test('stays, and is not reported, where another page lies now', () => {
    const change = changeOf(['P.md'], ['P.md'], {}, { replaced: new Set(['P.md']) });
    expect(follow('[[#One]]', change)).toEqual({ text: '[[#One]]', count: 0, retargeted: [] });
  });

  test.each([[], ['P.md']])('is reported where the place is lost: %s', (...replaced) => {
    const lost: AnchorMover = (anchor) => ({ anchor, was: true, isKept: false, isLost: true });
    const more = { anchors: new Map([['P.md', lost]]), replaced: new Set(replaced) };
    const change = changeOf(['P.md'], ['P.md'], {}, more);
    expect(follow('[[#One]]', change).retargeted).toEqual([
      { link: '[[#One]]', oldTarget: 'P.md', newTarget: 'P.md', anchors: { old: 'One', now: null } },
    ]);
  });
});

describe('where there may be pages that nobody here sees', () => {
  test.each([
    [false, '[[B]]'],
    [true, '[[g/B]]'],
  ])('a rewritten link has the whole path: %s', (isBlind, expected) => {
    const change = changeOf(['P.md', 'f/A.md'], ['P.md', 'g/B.md'], { 'f/A.md': 'g/B.md' }, { isBlind });
    expect(follow('[[A]]', change).text).toBe(expected);
  });

  test('a name that would be read as another one is not taken for it', () => {
    const change = changeOf(
      ['P.md', 'A.md'],
      ['P.md', 'a | b.md'],
      { 'A.md': 'a | b.md' },
      { isBlind: true },
    );
    expect(follow('[[A]]', change).text).toBe('[a \\| b](<./a %7C b.md>)');
  });
});

describe('a link in a heading', () => {
  const renamed = changeOf(['P.md', 'A.md'], ['P.md', 'B.md'], { 'A.md': 'B.md' });

  test.each([
    ['# [[A]]', '# [[B|A]]'],
    ['# [[ A ]]', '# [[ B|A ]]'],
    ['# ![[A]]', '# ![[B|A]]'],
    ['# [[A|B]]', '# [[B]]'],
    ['# [[A| B ]]', '# [[B]]'],
    ['# ![[A|B]]', '# ![[B]]'],
    ['# [[ A |B]]', '# [[B]]'],
    ['# [[A\\|B]]', '# [[B]]'],
    ['# [[A|C]]', '# [[B|C]]'],
    ['# [text](A.md)', '# [text](B.md)'],
    ['[[A|B]]', '[[B|B]]'],
  ])('keeps the text that it shows: %s', (text, expected) => {
    expect(follow(text, renamed).text).toBe(expected);
  });
});

test.each([
  ['# [z`](B.m|`](A.md)', '# [z`](B.m|`](B.md)'],
  ['# [[z] `](B.m|z] `](A.md)', '# [[z] `](B.m|z] `](B.md)'],
])(
  'a Markdown link in a heading is no wikilink, though both sides of its bar are alike: %s',
  (text, expected) => {
    const change = changeOf(['P.md', 'A.md'], ['P.md', 'B.md'], { 'A.md': 'B.md' });
    expect(follow(text, change).text).toBe(expected);
  },
);

test('a definition before a very long heading is no wikilink, though both sides of its bar are alike', () => {
  const title = `${'long '.repeat(11_000)}\n===\n`;
  const change = changeOf(['P.md', 'A.md'], ['P.md', 'B.md'], { 'A.md': 'B.md' });
  const { text } = follow(`[\\]: B.md#x|]: A.md#x]]\n${title}`, change);
  expect(text).toBe(`[\\]: B.md#x|]: B.md#x]]\n${title}`);
});

test('a Markdown link that stands in for a wikilink becomes one without a text in a heading', () => {
  const change = changeOf(['P.md', 'x [y].md'], ['P.md', 'A.md'], { 'x [y].md': 'A.md' });
  expect(follow('# About [A](<./x [y].md>)', change).text).toBe('# About [[A]]');
});

test('a link in a heading needs no text that is its name, though that holds a backslash', () => {
  const change = changeOf(['P.md', 'A.md'], ['P.md', 'a\\b.md'], { 'A.md': 'a\\b.md' });
  expect(follow('# [[A\\|a\\b]]', change).text).toBe('# [[a\\b]]');
});

test('a path from the folder that leads where it led is not rewritten', () => {
  const change = changeOf(['P.md', 'A.md'], ['P.md', 'A.md', 'C.md']);
  expect(follow('[a](A.md) [[./A]]', change)).toMatchObject({ count: 0, retargeted: [] });
});

test.each([
  ['# [x](To.md)', '# [x](../To.md)'],
  ['# [[./To]]', '# [[../To|./To]]'],
  ['[[./To]]', '[[../To]]'],
])('a link to a page that is still to be written keeps its text in a heading: %s', (text, expected) => {
  expect(follow(text, changeOf(['P.md'], ['f/P.md'], { 'P.md': 'f/P.md' })).text).toBe(expected);
});

test.each([
  ['[[Start]]', '[[B|Start]]'],
  ['[[ Start ]]', '[[ B|Start ]]'],
  ['![[Start]]', '![[B]]'],
])('a link by an alias that another page has as its name keeps its text: %s', (text, expected) => {
  const change = changeOf(
    [],
    [],
    { 'A.md': 'B.md' },
    {
      before: createLinkResolver(['P.md', 'A.md'], [['Start', 'A.md']]),
      after: createLinkResolver(['P.md', 'B.md', 'Start.md'], [['Start', 'B.md']]),
    },
  );
  expect(follow(text, change).text).toBe(expected);
});

test('where pages may be hidden, a wikilink that its whole name does not lead to any more is written from the root', () => {
  const change = changeOf(
    ['a.md', 'docs/A.txt', 'f/P.md'],
    ['a.md', 'docs/A#B.md', 'f/P.md'],
    { 'docs/A.txt': 'docs/A#B.md' },
    { isBlind: true },
  );
  expect(follow('[[a#B|text]]', change, 'f/P.md').text).toBe('[[/a#B|text]]');
});

test('a broken link of HTML in a heading names the same missing page after its page moved', () => {
  const change = moveIn(['a/P.md'], { 'a/P.md': 'b/c/P.md' });
  const [text, expected] = ['./Missing.md', '../../a/Missing.md'].map((to) => `# See <a href="${to}">x</a>`);
  expect(follow(text ?? '', change, 'a/P.md').text).toBe(expected);
});
