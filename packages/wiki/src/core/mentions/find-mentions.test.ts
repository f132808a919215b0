import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from '../../../../../labs/sample.ts';
import { atOnce } from '../../scheduling/in-turns.ts';
import { linkMention } from '../relinking/fix-link.ts';
import { createLinkResolver } from '../text/links/link-resolver.ts';
import { linkSteps } from '../text/markdown/markdown-links.ts';
import { mentionSteps } from './find-mentions.ts';

const NAMES = ['Oven', 'bread oven', 'C# oven', '烤箱', 'Über'];

/** The text with each mention between braces. */
function marked(text: string, names: readonly string[] = NAMES): string {
  let result = text;
  for (const { start, end } of atOnce(mentionSteps(text, names)).toReversed()) {
    result = `${result.slice(0, start)}{${result.slice(start, end)}}${result.slice(end)}`;
  }
  return result;
}

test.each([
  'The {oven}, an {OVEN} and a {bread oven}.',
  'Ovens, ovenproof, an oven-glove, oven.md, in/oven, #oven, oven_2 and ^oven are other words; the {oven}: one.',
  '我们用{烤箱}做面包',
  'an {u\u0308ber} idea',
  'a {C# oven} and C#',
  '> quoted {oven}\n> - [ ] a task with an {oven}',
  '| oven | b |\n| - | - |\n| c | {oven} |\n\noven\n| - |',
  '*{oven}* and **the {oven}** (the {oven})',
  'a note[^1]\n\n[^1]: The {oven}.',
  '<b>the {oven}</b>',
  'It costs $5, the {oven}.',
])('finds what another page is called in %s', (expected) => {
  expect(marked(expected.replace(/[{}]/g, ''))).toBe(expected);
});

test.each([
  '---\ntitle: Oven\n---\n',
  '# The oven\n\nOven\n====\n\n> ## oven',
  '`oven` and ``the oven``',
  '```\noven\n```\n\n    oven',
  '<!-- oven --> <img alt="oven"> <code>oven</code>',
  '[[Oven]] [[Other|the oven]] [the oven](other.md) [x](other.md "oven") ![oven](oven.png)',
  '[the oven](https://example.org) [x](https://example.org "the oven") [the oven][1] [oven]',
  '[1]: https://example.org "oven"\n[oven]: https://example.org',
  'https://example.org/?q=a&oven www.example.org/oven ada@oven.example <https://oven.example>',
  '<a href="https://example.org">the oven</a>',
  '$oven + 1$ and $$\noven\n$$',
  '#kitchen/oven',
])('finds none in %s', (text) => {
  expect(marked(text)).toBe(text);
});

test('names that no link can show, and names of signs alone, are not searched for', () => {
  expect(marked('a [b] c | d ** e', ['[b]', 'c | d', '**', ''])).toBe('a [b] c | d ** e');
});

const PIECES = [
  ...[
    'the oven',
    'Oven',
    'bread oven',
    'C# oven',
    '烤箱',
    ' ',
    '\n',
    '\n\n',
    '| ',
    ' |',
    '| - |',
    '> ',
    '- ',
    '# ',
  ],
  ...[
    '`',
    '``',
    '```\n',
    '[',
    ']',
    '[[',
    ']]',
    '](x.md)',
    '(',
    ')',
    '![',
    '<!--',
    '-->',
    '<a href="b">',
    '</a>',
    '<b',
    '>',
  ],
  ...[
    '[[b]]',
    '[b](b.md)',
    '$',
    '\\',
    '*',
    '---\n',
    'a: ',
    '[^1]',
    '[^1]: ',
    '[1]: ',
    '#',
    '"',
    '%%',
    '<code>',
    '</code>',
  ],
];

const PAGES = ['in/Oven.md', 'Oven.md', 'b.md', 'x.md', 'at/Oven.md', 'at/page.md'];

test('a mention becomes a link to the page and nothing else changes, whatever stands around it', () => {
  const resolver = createLinkResolver(PAGES, [['bread oven', 'b.md']]);
  const shownBy = (text: string) =>
    atOnce(linkSteps(text)).map(({ start, end, kind }) => ({ kind, text: text.slice(start, end) }));
  let count = 0;
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...PIECES), { minLength: 3, maxLength: 25 }),
      fc.constantFrom('in/Oven.md', 'Oven.md', 'at/Oven.md'),
      (pieces, wanted) => {
        const text = pieces.join('');
        for (const mention of atOnce(mentionSteps(text, NAMES))) {
          const fixed = linkMention(mention, { at: 'at/page.md', wanted, resolver });
          if (fixed === null) continue;
          count += 1;
          const after = text.slice(0, fixed.start) + fixed.text + text.slice(fixed.end);
          const links = atOnce(linkSteps(after));
          const added = links.findIndex(({ start }) => start === fixed.start);
          const link = links[added];
          expect(link && after.slice(link.start, link.end)).toBe(fixed.text);
          expect(link && resolver.resolve(link, 'at/page.md')).toMatchObject({ path: wanted, anchor: null });
          expect(link && (link.alias ?? link.target)).toContain(text.slice(mention.start, mention.end));
          expect(shownBy(after).toSpliced(added, 1)).toEqual(shownBy(text));
        }
      },
    ),
    { numRuns: sampled(1_500, 500), seed: 20_261_126 },
  );
  expect(count).toBeGreaterThan(sampled(500, 150));
});
