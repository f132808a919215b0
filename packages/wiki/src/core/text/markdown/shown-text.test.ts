import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { expect, test } from 'vitest';
import { idleCpuMsOf } from '../../../../test/machine-speed.ts';
import { plainText } from './outline.ts';

/** The text of a heading as CommonMark's parser has it, without tags. */
function judged(heading: string): string {
  const textOf = (node: ReturnType<typeof fromMarkdown>['children'][number]): string => {
    if (node.type === 'html') return '';
    if ('value' in node) return node.value;
    if ('alt' in node) return node.alt ?? '';
    return 'children' in node ? node.children.map(textOf).join('') : '';
  };
  const [first] = fromMarkdown(`# ${heading}`).children;
  return first === undefined ? '' : textOf(first).replace(/\s+/g, ' ').trim();
}

test.each([
  ['\\*nix and R&amp;D', '*nix and R&D'],
  ['2 \\* 3 \\* 4', '2 * 3 * 4'],
  ['2 * 3 * 4', '2 * 3 * 4'],
  ['\\_init\\_ \\#1', '_init_ #1'],
  ['<b>html</b> h', 'html h'],
  ['__bold__ snake_case _x_ **a*b**', 'bold snake_case x a*b'],
  ['`*code* &amp; <b>` and `` a`b ``', '*code* &amp; <b> and a`b'],
  ['[the *x*](<b c> "t") ![alt](x.png) [![i](a)](b)', 'the x alt i'],
  ['[[Page]] [[Page|a *b*]] [[2 * 3 * 4]]', 'Page a b 2 * 3 * 4'],
  ['~~gone~~ ~x~ a ~ b', 'gone x a ~ b'],
  ['<https://example.org> a < b &nosuch; \ue000', 'https://example.org a < b &nosuch; \ue000'],
  ['&#42;a&#x2a; &copy;', '*a* \u00a9'],
  ['*a*b _c* d_', 'ab c* d'],
  ['~a~~ ~~~b~~~', '~a~~ ~~~b~~~'],
  ['a` b c `d e` b`f g`b `h i`  `j', 'ab cd e bf gb h i j'],
  ['a` b `c', 'abc'],
  ['`a b `c d` e f`', 'a b c d e f'],
  ['\\a b\\', '\\a b\\'],
  ['[[Page|2 * 3 * 4]] [[P|a]]_b_ [[P]]_b_', '2 * 3 * 4 ab Pb'],
  ['<https://example.org>_b_', 'https://example.orgb'],
  ['[a [bc d] e](x) [a](b(cd)e) [a](b<c) [a](<1 (2>)', 'a [bc d] e a a a'],
])('a reader sees of %s: %s', (written, shown) => {
  expect(plainText(written)).toBe(shown);
  if (!/\[\[|~/.test(written)) expect(judged(written)).toBe(shown);
});

test('the text of a heading equals the text that a CommonMark parser finds', () => {
  const pieces = ['a', 'b c', ' ', '*', '**', '***', '_', '__', '\\*', '\\_', '`', '``', '&amp;', '&#42;'];
  const more = [
    '<b>',
    '</b>',
    '<br/>',
    '[x](y)',
    '[*x*](<y z>)',
    '![i](j)',
    '.',
    '(',
    '\u00e4',
    '\ue001',
    '<',
    '&',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces, ...more), { maxLength: 12 }), (made) => {
      const written = made.join('');
      expect(plainText(written), JSON.stringify(written)).toBe(judged(written));
    }),
    { numRuns: 3_000, seed: 18 },
  );
});

test('headings that are made to take long are read quickly', () => {
  for (const piece of ['*a', '**a*', '_a ', '`a``', '<a ', '[[a', '[a](', '&a', '\\', '![a](b)']) {
    const heading = piece.repeat(1_000 / piece.length);
    expect(
      idleCpuMsOf(() => {
        for (let at = 0; at < 200; at += 1) plainText(heading);
      }),
      piece,
    ).toBeLessThan(1_000);
  }
});
