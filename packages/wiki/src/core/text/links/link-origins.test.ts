import { expect, test } from 'vitest';
import { atOnce } from '../../../scheduling/in-turns.ts';
import { linkSteps } from '../markdown/markdown-links.ts';
import { commonStart, linkOrigins } from './link-origins.ts';

/** For each link of the text, `1` if it stood on the page before, `0` if it is new. */
function keptIn(text: string, before: string): string {
  const links = atOnce(linkSteps(text));
  const origins = atOnce(linkOrigins(text, links, { from: 'Old.md', text: before }));
  expect(new Set(origins).difference(new Set(['Old.md', null]))).toEqual(new Set());
  expect(origins).toHaveLength(links.length);
  return origins.map((from) => (from === null ? 0 : 1)).join('');
}

test.each([
  ['nothing changed', '[[A]] [[B]]', '[[A]] [[B]]', '11'],
  ['the text around changed', 'a [[A]] b [[B]] c', 'x [[A]] y [[B]] z', '11'],
  ['there were no links', 'text', '[[A]] text', '0'],
  ['there are no links any more', '[[A]] text', 'text', ''],
  ['one comes at the end', '[[A]]', '[[A]] [[A]]', '10'],
  ['one comes at the beginning', '[[A]]', '[[A]] x [[A]]', '10'],
  ['one comes before another text', 'x [[A]]', 'y [[A]] z [[A]]', '01'],
  ['one comes between', '[[A]] [[A]] end', '[[A]] new [[A]] [[A]] end', '101'],
  ['some come between', '[[A]] x [[B]]', '[[A]] [[C]] [[B]] [[A]] y [[B]]', '10001'],
  ['some stay behind a new one', '[[D]] [[A]] [[B]]', 'y [[C]] [[A]] z [[A]] [[B]]', '0011'],
  ['a character comes before it', '[[A]]', 'x[[A]]', '1'],
  ['they change places', 'a [[A]] b [[B]] c', 'z [[B]] y [[A]] w [[A]] v', '110'],
  ['several of one form change places', 'a [[A]] [[A]] b', 'z [[A]] [[B]] [[A]] [[A]] y', '1010'],
  ['one comes behind it that ends in the same way', 'x [a](u)', 'x [b](v) [a](u) [a](u)', '010'],
  ['one goes', '[[A]] [[B]] [[C]]', '[[A]] [[C]]', '11'],
  ['one of two goes', '[[A]] [[A]] x', '[[A]] x', '1'],
  ['the end of one changes', '[[A|x]] t', '[[A|xy]] t', '0'],
  ['the beginning of one changes', 't [[A]]', 't ![[A]]', '0'],
  ['the target changes', 'x [[A]] y', 'x [[B]] y', '0'],
  ['one was code before', '`[[A]]` [[B]]', '`[[A]] [[B]]', '01'],
  ['the only one was code before', '`[[A]]`', '`[[A]]', '0'],
  ['one was code at the end before', '[[B]] `[[A]]`', '[[B]] [[A]]`', '10'],
])('a link is known again on its page if %s', (_, before, text, kept) => {
  expect(keptIn(text, before)).toBe(kept);
});

test('two equal texts are their common beginning', () => {
  expect(commonStart('text', 'text')).toBe(4);
});
