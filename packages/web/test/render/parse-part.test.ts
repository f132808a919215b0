import { readPageText } from '@pagetree/wiki/page-text';
import { tests as examples } from 'commonmark-spec';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutPage } from '../../src/render/cut-page.ts';
import { pagePart } from '../../src/render/page-part.ts';
import { parsePart } from '../../src/render/parse-part.ts';
import { parseText } from '../../src/render/parse-text.ts';
import { findWikiSpans } from '../../src/render/wiki-spans.ts';

/** Constructs that open, cross or end blocks, in addition to the examples of CommonMark. */
const BLOCKS = [
  ...examples.map(({ markdown }) => markdown.replaceAll('→', '\t')),
  '```sh\n\n# a comment\n\n```\n',
  '```\n\nleft open\n\n# Not a heading\n',
  '- a\n\n  ~~~\n  b\n\n# Heading\n',
  '> quote\n\nText\n',
  '<div>\n\ntext\n\n</div>\n',
  '<!-- left open\n\n# In it\n',
  '<!-- one\n\ntwo -->\n',
  '<script>\n\n# In it\n',
  '$$\na\n\n# b\n$$\n',
  '%%\n\nHidden\n\n%%\n',
  '%% left open\n\ntext $x$ and ==mark== and [[Link|b]] and ![[Page#Part]]\n',
  '[^note]\n\n[^note]: a\n\n    b\n\nText\n',
  '[label] and [other][label] and [^note]\n',
  '[label]: x.md "title"\n',
  '> [label]: y.md\n',
  '[two\nlines]: z.md\n',
  '| a | b |\n| --- | --- |\n| [label] | `c` |\n',
  '\ufeff# Mark\n',
  'a\rb\r\n\r\n# Returns\r\n\r\ntext\r\n',
  '   \n\t\n',
];
const FILLER = `${'Words of a paragraph that is long enough to be cut. '.repeat(9)}\n`;
const page = fc
  .array(
    fc.oneof(fc.constantFrom(...BLOCKS), fc.constantFrom(FILLER, '# Heading\n', `${FILLER}\n## Part\n`)),
    {
      minLength: 1,
      maxLength: 9,
    },
  )
  .chain((blocks) =>
    fc.constantFrom('\n', '\n\n', '').map((between) => blocks.join(between) + (between === '' ? '\n' : '')),
  );

function partOf(text: string) {
  return pagePart(text, readPageText(text), { path: 'P', links: [] }, 0);
}

/** The tree of the whole text, and the meaning of our nodes, by their positions. */
function whole(text: string) {
  const page = readPageText(text);
  const { base } = parsePart(partOf(text));
  return shown(parseText(text.slice(base), base, findWikiSpans(text, page)));
}

function shown({ root, spans }: Pick<ReturnType<typeof parsePart>, 'root' | 'spans'>) {
  const places = Array.from(spans, ([node, span]) => [node.position?.start.offset, span] as const);
  return { children: root.children, spans: places.sort(([a = 0], [b = 0]) => a - b) };
}

test('a page that is parsed in chunks has the tree of the whole, also after an edit', () => {
  let cut = 0;
  fc.assert(
    fc.property(page, page, fc.nat(), (text, more, at) => {
      const edited = text.slice(0, at % text.length) + more + text.slice(at % text.length);
      for (const each of [text, edited, text]) {
        expect(shown(parsePart(partOf(each)))).toEqual(whole(each));
        if (cutPage(each, 0, readPageText(each), findWikiSpans(each, readPageText(each))).length > 1)
          cut += 1;
      }
    }),
    { numRuns: 40, seed: 23 },
  );
  expect(cut).toBeGreaterThan(50);
});

test('a page of many sections and labels is parsed in chunks, and each copy can be changed', () => {
  const section = (at: number) => `## Part ${at}\n\n${FILLER}\nSee [label ${at % 3}] and [^n].\n\n`;
  const text = `${Array.from({ length: 20 }, (_, at) => section(at)).join('')}[label 1]: a.md\n\n[^n]: Note.\n`;
  const { root } = parsePart(partOf(text));
  expect(shown(parsePart(partOf(text)))).toEqual(whole(text));
  for (const child of root.children) if ('children' in child) child.children.length = 0;
  expect(shown(parsePart(partOf(text)))).toEqual(whole(text));
});

test.each([
  '<script>',
  '<pre>',
  '<?php',
  '<![CDATA[',
  '<!X',
  '```',
  '~~~~ x',
  '> ```',
  '- <script>',
  '\t```',
])('an open %j continues behind headings and paragraphs', (opening) => {
  const text = `${FILLER}\n${opening}\n\n${FILLER.repeat(4)}\nText.\n\n# Heading\n\n${FILLER}\n# Another\n\n[x]: y.md\n\n[x]`;
  expect(shown(parsePart(partOf(text)))).toEqual(whole(text));
});
