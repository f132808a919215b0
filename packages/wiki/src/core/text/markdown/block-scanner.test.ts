import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { expect, test } from 'vitest';
import { scanBlocks } from './markdown-blocks.ts';

type Node = ReturnType<typeof fromMarkdown>['children'][number];

/** The headings of a page as `line: level text`, and the words in its prose, as we find them. */
function found(text: string) {
  const { headings, prose } = scanBlocks(text);
  return {
    headings: headings.map(
      ({ line, level, text: title }) => `${line}: ${level} ${title.replaceAll(MARKS, ' ')}`,
    ),
    words: prose.flatMap(({ start, end }) => text.slice(start, end).match(/w\d+/g) ?? []),
  };
}

/** The same, as a parser of CommonMark has it. */
function byCommonMark(text: string): ReturnType<typeof found> {
  const root = fromMarkdown(text);
  const words: string[] = [];
  const walk = (node: Node | typeof root) => {
    if ('value' in node && node.type !== 'code') words.push(...(node.value.match(/w\d+/g) ?? []));
    // Links in HTML count, but for comments and code.
    const inside = 'children' in node ? node.children : [];
    for (const child of inside) {
      const isRaw =
        child.type === 'html' && node.type !== 'paragraph' && /^\s*<(?:pre|!--)/.test(child.value);
      if (!isRaw) walk(child);
    }
  };
  walk(root);
  const headings = root.children.flatMap((node) => {
    if (node.type !== 'heading') return [];
    const title = node.children.map((child) => ('value' in child ? child.value : ' ')).join('');
    return [`${node.position?.start.line}: ${node.depth} ${title.replaceAll(MARKS, ' ')}`];
  });
  return { headings, words };
}

/** Blanks, and marks of code in titles, count as one blank. */
const MARKS = /[\s`]+/g;

/** Marks and blanks before a line. */
const before = fc.array(
  fc.constantFrom(
    '> ',
    '>',
    '- ',
    '-\t',
    '* ',
    '+   ',
    '1. ',
    '2) ',
    '10. ',
    ' ',
    '  ',
    '    ',
    '      ',
    '\t',
    ' \t',
  ),
  { maxLength: 3 },
);
/** Lines; each `w` is a word of its own. */
const content = fc.constantFrom(
  ...['w', 'w', 'w', '', '', '  ', '\t', '# w', '## w ##', '### w #', '#\tw', '####### w', '#w', '#', 'w #'],
  ...[
    '```',
    '```',
    '````',
    '``` w',
    '``` `w',
    '~~~',
    '~~~~ w`',
    '===',
    '==',
    '---',
    '--',
    '- - -',
    '***',
    '___',
    '-',
    '1.',
    '+',
  ],
  ...[
    '    w',
    'w  ',
    '> w',
    '<div>',
    '</div>',
    '<pre>',
    '</pre>',
    '<!-- w',
    '-->',
    '<b>',
    '<b c="d" e>',
    '<b> w',
    '<a',
  ],
);
const page = fc.array(fc.tuple(before, content), { maxLength: 8 }).map((lines) => {
  let word = 0;
  return lines
    .map(([marks, line]) => marks.join('') + line.replaceAll('w', () => `w${(word += 1)}`))
    .join('\n');
});

/**
 * True if the parser differs from CommonMark's own: it lets no empty item and no list from two on begin behind indented
 * code, or in a quote or an item that ends a paragraph, and takes a tag as the end of a paragraph that goes on lazily.
 */
function isReadInAnotherWay(text: string): boolean {
  const marks = text.replaceAll(/<[^\n]*>/g, '');
  return (
    /(?:^|[ \t>.)])(?:[-+*]|\d+[.)])[ \t]*$/m.test(text) ||
    (/2\)|10\./.test(text) && /(?: {4}|\t|>|(?:[-+*]|\d+[.)])[ \t]+(?:2\)|10))/.test(text)) ||
    (/<b|<\/pre/.test(text) && /[>*+][^\n]*\n|- |-\t|\d[.)]/.test(marks))
  );
}

test('the headings and the code of a page are where CommonMark has them, in quotes and lists and with tabs', () => {
  fc.assert(
    fc.property(page, fc.constantFrom('', '\n'), (text, end) => {
      fc.pre(!isReadInAnotherWay(text));
      expect(found(text + end)).toEqual(byCommonMark(text + end));
    }),
    { numRuns: 3_000 },
  );
});
