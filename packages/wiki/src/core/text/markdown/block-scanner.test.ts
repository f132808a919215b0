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
      ({ line, level, text: title }) => `${line}: ${level} ${title.replaceAll(MARKS, '')}`,
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
    // Links in HTML count, but for comments and code. Those within text are left to the inline scanner.
    const isText = node.type === 'paragraph' || node.type === 'heading';
    const inside = 'children' in node ? node.children : [];
    for (const child of inside) {
      const isRaw = child.type === 'html' && !isText && RAW.test(child.value);
      if (!isRaw) walk(child);
    }
  };
  walk(root);
  const headings = root.children.flatMap((node) => {
    if (node.type !== 'heading') return [];
    const title = node.children.map(toText).join('');
    return [`${node.position?.start.line}: ${node.depth} ${title.replaceAll(MARKS, '')}`];
  });
  return { headings, words };
}

const RAW = /^\s*<(?:pre|script|style|!--)(?![a-z])/;
function toText(node: Node): string {
  if ('value' in node) return node.value;
  return 'children' in node ? node.children.map(toText).join('') : ' ';
}

/** Blanks and marks within titles are not compared. */
const MARKS = /[\s`\\*_]+/g;

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
  const text = lines.map(([marks, line]) => marks.join('') + line).join('\n');
  const [first = '', ...parts] = text.split('w');
  return first + parts.map((part, at) => `w${at + 1}${part}`).join('');
});

/**
 * True if the text begins as frontmatter, which CommonMark does not know, or the parser differs from CommonMark's own:
 * it lets no empty item and no list from two on begin behind indented code, or in a quote or an item that ends a
 * paragraph, and takes a tag as the end of a paragraph that goes on lazily.
 */
function isReadInAnotherWay(text: string): boolean {
  const marks = text.replaceAll(/<[^\n]*>/g, '');
  return (
    text.startsWith('---') ||
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
    { numRuns: 2_000 },
  );
});

const joined = (maxLength: number, ...pieces: string[]) =>
  fc.array(fc.constantFrom(...pieces), { maxLength }).map((found) => found.join(''));
/** Lines that may begin a block, or only look so. */
const opening = fc.oneof(
  joined(4, '`', '``', '```', '~', '~~~', ' ', '\t', 'x'),
  joined(6, '*', '**', '-', '--', '_', '__', ' ', '\t'),
  joined(6, '###', '#', ' ', '\t', 'x', '\\'),
  // Within a paragraph, the parser does not let `01.` begin a list. The reference implementation does.
  joined(2, '1', '0', '123', '12345678', 'x')
    .filter((number) => number !== '01')
    .chain((number) => fc.constantFrom('. ', ') ', ':', '.\t', '.').map((mark) => `${number}${mark}x`)),
  joined(8, 'a', 'div', 'b1', ' ', '\t', ' c', '=', '"d e"', "'f g'", "''", 'h-i', '/', '>', '>').map(
    (tag) => `<${tag}`,
  ),
  joined(2, 'a', 'div', 'table', 'b1', ' ', '\t', '>').map((tag) => `</${tag}>`),
  joined(3, 'pre', 'script', 'style', 'prefix', ' ', '>', 'x').map((tag) => `<${tag}`),
);

test('a line begins a block or not as in CommonMark, also with signs that only look like its marks', () => {
  const next = fc.constantFrom('# w1', '', 'w1', '    w1', '===', '```', '~~~~');
  fc.assert(
    fc.property(
      fc.constantFrom('', 'x\n', 'x\n\n'),
      opening,
      fc.oneof(next, opening),
      (start, line, after) => {
        const text = `${start}${line}\n${after}\n# w2\n\n# w3\n`;
        // The parser takes an empty item of an item for a paragraph, and no value that begins with a slash.
        fc.pre(!/^[ \t]*(?:[-*][ \t]+)+[-*][ \t]*$|=[ \t]*\//m.test(text));
        expect(found(text)).toEqual(byCommonMark(text));
      },
    ),
    { numRuns: 2_000 },
  );
});

test('a comment and code in HTML that end on their line are blocks of their own', () => {
  const html = fc.constantFrom(
    '<!-- c -->',
    '<pre>c</pre>',
    '<script>c</script> c',
    '<style>c</style>',
    '<!--c--> c',
    '<!-->',
    '<!---> c',
  );
  const other = fc.constantFrom('w1', '# w2', '===', '---', '    w3', '', '- w4', '> w5');
  const lines = fc.array(fc.tuple(before, fc.oneof(html, other)), { maxLength: 6 });
  fc.assert(
    fc.property(lines, (written) => {
      const text = written.map(([marks, line]) => marks.join('') + line).join('\n');
      fc.pre(!isReadInAnotherWay(text));
      expect(found(text).headings).toEqual(byCommonMark(text).headings);
    }),
    { numRuns: 2_000 },
  );
});
