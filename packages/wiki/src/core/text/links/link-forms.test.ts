import { describe, expect, test } from 'vitest';
import { changeOf, follow, moveIn } from '../../../../test/links/changed-wiki.ts';
import { createLinkResolver } from './link-resolver.ts';

const renamed = (name: string) => moveIn(['P.md', 'A.md', 'b/Other.md'], { 'A.md': `${name}.md` });

describe('a link to a renamed page keeps', () => {
  test.each([
    ['[[A.md#Part]]', '[[B.md#Part]]'],
    ['[[A.md #Part]]', '[[B.md#Part]]'],
    ['[x](A.md#one_two)', '[x](B.md#one_two)'],
    ['[x](A.md\\#part)', '[x](B.md\\#part)'],
    ['[x](A#caf%C3%A9)', '[x](B#caf%C3%A9)'],
  ])('its extension and its anchor as they are written: %s', (text, expected) => {
    expect(follow(text, renamed('B')).text).toBe(expected);
  });

  test('its extension if what looks like a query belongs to the name', () => {
    const change = moveIn(['P.md', 'What?.md'], { 'What?.md': 'a/Why.md' });
    expect(follow('[x](What?.md) [y](What?)', change).text).toBe('[x](a/Why.md) [y](a/Why)');
  });

  test('its path from the folder, without the dot where the path leads up', () => {
    const change = moveIn(['d/P.md', 'd/A.md'], { 'd/A.md': 'A.md' });
    expect(follow('[[./A]] [x](./A.md)', change, 'd/P.md').text).toBe('[[../A]] [x](../A.md)');
  });

  test('its form in HTML, where parentheses need no escape', () => {
    expect(follow('<a href="A.md">', renamed('1) x (y'))).toMatchObject({
      text: '<a href="1)%20x%20(y.md">',
    });
  });
});

describe('a link leads to the right one of two pages', () => {
  test('by a path from its folder where the path from the root names the page in its folder', () => {
    const paths = ['d/P.md', 'd/x/A.md', 'x/Old.md'];
    const change = moveIn(paths, { 'x/Old.md': 'x/A.md' });
    expect(follow('[a](Old.md) [[Old]]', change, 'd/P.md').text).toBe('[a](../x/A.md) [[x/A]]');
  });

  test('by a path from the root where a path from its folder would be an address on the web', () => {
    expect(follow('[a](A.md) [b](./A.md)', renamed('Note: one')).text).toBe(
      '[a](/Note:%20one.md) [b](./Note:%20one.md)',
    );
  });

  test.each([
    ['[[Q]] [a](Q) [b](Q.md)', '[[chart.png.md]] [a](chart.png.md) [b](chart.png.md)'],
    ['![[/Q]] [a](./Q)', '![[/chart.png.md]] [a](./chart.png.md)'],
    ['[[The .md format]] [a](The%20.md%20format)', '[[chart.png.md]] [a](chart.png.md)'],
  ])('with the extension where a file has the name of the page: %s', (text, expected) => {
    const from = text.includes('format') ? 'The .md format.md' : 'Q.md';
    expect(follow(text, moveIn(['P.md', from, 'chart.png'], { [from]: 'chart.png.md' })).text).toBe(expected);
  });
});

describe('a link to a page that gets a backtick in its name', () => {
  const odd = renamed('x`y');

  test('is rewritten beside another one, and in a property', () => {
    expect(follow('[[A]][[A]]', odd).text).toBe('[[x`y]][[x`y]]');
    const properties = (name: string) => `---\nnote: "a \`b"\nup: "[[${name}]]"\n---\n`;
    expect(follow(properties('A'), odd).text).toBe(properties('x`y'));
  });

  test.each([
    ['far from the end of a long page', `a \`b [[A]] c\n\n${'text '.repeat(3_000)}`],
    ['after a line of one word', 'a `b\nword\n[[A]]\n'],
  ])('stays, and is reported, where it would become code: %s', (_, text) => {
    expect(follow(text, odd)).toMatchObject({ text, retargeted: [{ link: '[[A]]', newTarget: null }] });
  });

  test('is rewritten after another paragraph with a backtick', () => {
    expect(follow('a `b\n \t\n[[A]]', odd).text).toBe('a `b\n \t\n[[x`y]]');
  });
});

test('a wikilink in a property stays, and is reported, where no wikilink can hold the name', () => {
  const text = '---\nup: "[[A]]"\n---\n';
  expect(follow(text, renamed('x [y]'))).toMatchObject({
    text,
    retargeted: [{ link: '[[A]]', newTarget: null }],
  });
});

test('an anchor that is new is written in the way of the link', () => {
  const anchors = new Map([['A.md', () => ({ anchor: 'b c', was: true, isKept: true })]]);
  const change = changeOf(['P.md', 'A.md'], ['P.md', 'A.md'], {}, { anchors });
  expect(follow('[x](A.md#a) [y](<A.md#a>) [[A#a]]', change).text).toBe(
    '[x](A.md#b%20c) [y](<A.md#b c>) [[A#b c]]',
  );
});

test('a name that would end the link too early is written in another form, also where its beginning is an alias', () => {
  const resolverOf = (path: string) => createLinkResolver(['P.md', path], [['a', path]]);
  const moved = { 'Old.md': 'a]] b.md' };
  const change = changeOf(['P.md', 'Old.md'], ['P.md', 'a]] b.md'], moved, {
    before: resolverOf('Old.md'),
    after: resolverOf('a]] b.md'),
  });
  expect(follow('[[Old]]', change).text).toBe('[a\\]\\] b](<./a]] b.md>)');
});

test('a link without a backtick is rewritten though its name ends a comment that begins in the heading above it', () => {
  expect(follow('# a <!-- b\n[[A]]', renamed('x --> y')).text).toBe('# a <!-- b\n[[x --> y]]');
});
