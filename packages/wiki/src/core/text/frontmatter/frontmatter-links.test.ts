import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { findFrontmatter, MAX_YAML_CHARACTERS, parseFrontmatter } from './frontmatter.ts';
import { linksInFrontmatter, rewriteString } from './frontmatter-links.ts';

const linksOf = (yaml: string) => {
  const text = `---\n${yaml}---\nbody\n`;
  return linksInFrontmatter(text, findFrontmatter(text)).map((link) => ({
    ...link,
    yaml: text.slice(link.start, link.end),
  }));
};

test.each([
  ['a: "[[B#c|d]]"', 'B'],
  ["a: '[[B''s]]'", "B's"],
  ['a: [x, {b: "[[B]]"}]', 'B'],
  ['a: &x "[[B]]"\nb: *x', 'B'],
  ['a: >-\n  [[B\n  c]]', 'B c'],
  ['a: |-\n    [[B]]\n\nb: 1', 'B'],
  ['a: "[[B\\x20c\\"]]"', 'B c"'],
])('finds the one link in %j, and writes another in its place', (given, target) => {
  const yaml = `${given}\n`;
  const [link, ...others] = linksOf(yaml);
  expect([link?.target, others]).toEqual([target, []]);
  for (const value of ['[[X]]', `[["it's" \\ |x: # y]]`, '[[tab\there]]']) {
    const rewritten = yaml.replace(link?.yaml ?? '', () => rewriteString(link?.yaml ?? '', value));
    expect(linksOf(rewritten).map(({ property }) => property)).toEqual([value]);
    const emptied = (each: string, old: string) =>
      JSON.stringify(parse(each)).replaceAll(JSON.stringify(old), '');
    expect(emptied(rewritten, value)).toBe(emptied(yaml, link?.property ?? ''));
  }
});

test.each([
  'a: [[B]]',
  'a: "![[B]]"',
  'a: "[[B]] "',
  'a: "[[B]] and [[C]]"',
  'a: "[[B]] and C"',
  'a: "[[ [[B]]"',
  'a: "[b](B.md)"',
  '"[[B]]": 1',
  'a: "[[https://example.org]]"',
  'a: "[[B]]"\na: 2',
  'a: |\n  [[B]]',
])('finds no link in %j', (yaml) => {
  expect(linksOf(`${yaml}\n`)).toEqual([]);
});

test('finds no link in frontmatter that is too long to be read', () => {
  const long = (length: number) => `a: "[[B]]"\nb: ${'x'.repeat(length)}\n`;
  expect(linksOf(long(100))).toHaveLength(1);
  expect(linksOf(long(MAX_YAML_CHARACTERS))).toEqual([]);
});

test.each([
  ["'[[B]]'", "[[it's]]", "'[[it''s]]'"],
  ["'[[B]]'", '[[a\tb]]', '"[[a\\tb]]"'],
  ['"[[B]]"', "[[it's]]", '"[[it\'s]]"'],
  ['|-\n    [[B]]\n\n', '[[C]]', '|-\n    [[C]]\n\n'],
  ['>-\n  [[B]]\n', '[[a\tb]]', '"[[a\\tb]]"\n'],
  ['"[[B]]\n  "', '[[C]]', '"[[C]]"'],
  ['>-\n\n  \n', '[[C]]', '"[[C]]"\n'],
])('a string written as %j keeps its quotes or block with %j', (yaml, value, wanted) => {
  expect(rewriteString(yaml, value)).toBe(wanted);
});

test('a page without frontmatter has no links in it, and parsed frontmatter is not parsed again', () => {
  expect(linksInFrontmatter('[[A]]', null)).toEqual([]);
  const text = '---\na: "[[B]]"\n---\n';
  const other = parseFrontmatter('c: "[[D]]"\n').document;
  const targets = (parsed: typeof other | undefined) =>
    linksInFrontmatter(text, findFrontmatter(text), parsed).map(({ target }) => target);
  expect([targets(undefined), targets(other), targets(null)]).toEqual([['B'], ['D'], []]);
});
