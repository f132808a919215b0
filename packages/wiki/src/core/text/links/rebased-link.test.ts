import { describe, expect, test } from 'vitest';
import { changeOf, follow, moveIn } from '../../../../test/links/changed-wiki.ts';
import { createLinkResolver } from './link-resolver.ts';

describe('a link to a page that is still to be written', () => {
  test.each([
    ['[[./To Do#x y|t]]', '[[../To Do#x y|t]]'],
    ['[m](me@home.md)', '[m](../me@home.md)'],
    ['[q](To.md?plain=1#part)', '[q](../To.md?plain=1#part)'],
  ])('names the same page from another folder: %s', (text, expected) => {
    expect(follow(text, moveIn(['P.md'], { 'P.md': 'f/P.md' })).text).toBe(expected);
  });

  test.each(['[[etc./Next]]', '[a](@site/x.md)', '[a](%PUBLIC_URL%/x.md)', '[a](/To.md)', '[[To Do]]'])(
    'stays if it is no path from the folder: %s',
    (text) => {
      expect(follow(text, moveIn(['P.md'], { 'P.md': 'f/P.md' }))).toEqual({
        text,
        count: 0,
        retargeted: [],
      });
    },
  );

  test('stays as it is written where its folder moves along', () => {
    const placeOf = (path: string) => path.replace(/^f\//, 'g/');
    const text = '[a](./To.md) [b](sub/../To.md) [[./To]]';
    const change = changeOf(['f/P.md'], ['g/P.md'], { 'f/P.md': 'g/P.md' }, { placeOf });
    expect(follow(text, change, 'f/P.md')).toEqual({ text, count: 0, retargeted: [] });
  });

  test('stays where another page has the new path of the missing one already', () => {
    const placeOf = (path: string) => path.replace(/^docs\//, 'n/');
    const change = changeOf(['P.md'], ['P.md', 'n/To.md'], {}, { placeOf });
    expect(follow('[a](docs/To.md)', change)).toEqual({ text: '[a](docs/To.md)', count: 0, retargeted: [] });
  });

  test('stays if the same change writes the page', () => {
    const change = changeOf(['a/P.md'], ['b/P.md', 'a/To.md'], { 'a/P.md': 'b/P.md' });
    expect(follow('[a](./To.md) [[./To]]', change, 'a/P.md').text).toBe('[a](./To.md) [[./To]]');
  });
});

test.each([
  ['[[./To]]', '[[./f/To]]'],
  ['[a](To.md)', '[a](f/To.md)'],
])('a wikilink to a missing page keeps its dots, and a Markdown link needs none: %s', (text, expected) => {
  expect(follow(text, moveIn(['f/P.md'], { 'f/P.md': 'P.md' }), 'f/P.md').text).toBe(expected);
});

describe('a link to a folder around its page', () => {
  const text = '[a](.) [b](./) [c](..) [d](../) [e](../..) [f](sub/..)';

  test.each([
    ['docs/guide/sub/P.md', '[a](..) [b](../) [c](../..) [d](../../) [e](../../..) [f](..)'],
    ['docs/P.md', '[a](guide) [b](guide/) [c](.) [d](./) [e](..) [f](guide)'],
    ['docs/guide2/P.md', '[a](../guide) [b](../guide/) [c](..) [d](../) [e](../..) [f](../guide)'],
    ['P.md', '[a](docs/guide) [b](docs/guide/) [c](docs) [d](docs/) [e](.) [f](docs/guide)'],
  ])('leads to it from %s', (to, expected) => {
    const from = 'docs/guide/P.md';
    const moved = follow(text, moveIn([from], { [from]: to }), from);
    expect(moved).toMatchObject({ text: expected, retargeted: [] });
  });

  test.each(['docs/guide/sub/P.md', 'docs/guide/a/b/P.md'])(
    'is as before after a move to %s and back',
    (there) => {
      const [from, links] = ['docs/guide/P.md', '[a](.) [b](./) [c](..) [d](../) [e](../..) [f](../guide)'];
      const moved = follow(links, moveIn([from], { [from]: there }), from).text;
      expect(moved).not.toBe(links);
      expect(follow(moved, moveIn([there], { [there]: from }), there).text).toBe(links);
    },
  );
});

test('a path that would leave the new folder of its page only to come back is straightened', () => {
  const moved = moveIn(['a/P.md', 'b/Q.md', 'b/c/R.md'], { 'a/P.md': 'b/P.md' });
  expect(follow('[q](../b/Q.md) [r](../b/c/R.md) [[../b/Q]] [s](../a/../b/Q.md)', moved, 'a/P.md').text).toBe(
    '[q](Q.md) [r](c/R.md) [[./Q]] [s](../a/../b/Q.md)',
  );
});

test('a link by an alias that looks like such a path stays', () => {
  const aliases = [['a/../../b', 'A.md']] as const;
  const change = changeOf(
    [],
    [],
    { 'P.md': 'f/P.md' },
    {
      before: createLinkResolver(['P.md', 'A.md'], aliases),
      after: createLinkResolver(['f/P.md', 'A.md'], aliases),
    },
  );
  expect(follow('[[a/../../b]]', change)).toEqual({ text: '[[a/../../b]]', count: 0, retargeted: [] });
});
