import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { expect, test } from 'vitest';
import { sampled } from '../../../../../../labs/sample.ts';
import type { Prose, Span } from './markdown.ts';
import { scanBlocks } from './markdown-blocks.ts';

type Node = ReturnType<typeof fromMarkdown>['children'][number];

/** Text with the numbers of its lines, the lines of headings, and those in which fenced code begins. */
interface Spans {
  prose: string[];
  titles: string[];
  code: string[];
}

function found(text: string): Spans {
  const { prose, titles, raws } = scanBlocks(text);
  const lines = ({ start, end }: Span) => `${lineAt(text, start)}-${lineAt(text, Math.max(start, end))}`;
  return {
    prose: prose.map((span) => `${lines(span)} ${withoutMarks(textOf(text, span))}`),
    titles: titles.map(lines),
    code: raws.map(({ start }) => `${lineAt(text, start)}`),
  };
}

/** The text with blanks in the place of the marks of quotes. */
function textOf(text: string, { start, end, marks = [] }: Prose): string {
  return text
    .slice(start, end)
    .split('')
    .map((character, at) =>
      marks.some((mark) => mark.start <= start + at && start + at < mark.end) ? ' ' : character,
    )
    .join('');
}

/** The same, as a parser of CommonMark has it. */
function byCommonMark(text: string): Spans {
  const [prose, titles, code]: string[][] = [[], [], []];
  const walk = (node: Node) => {
    const start = node.position?.start.offset ?? 0;
    if (node.type === 'code' && /^[`~]/.test(text.slice(start))) code?.push(`${lineAt(text, start)}`);
    if (node.type === 'paragraph' || node.type === 'heading') {
      const last = node.children.at(-1)?.position?.end.offset ?? start;
      const lines = `${lineAt(text, start)}-${lineAt(text, last)}`;
      prose?.push(`${lines} ${withoutMarks(node.children.map(written).join(''))}`);
      if (node.type === 'heading') titles?.push(lines);
    } else if ('children' in node) for (const child of node.children) walk(child);
  };
  for (const node of fromMarkdown(text).children) walk(node);
  return { prose: prose ?? [], titles: titles ?? [], code: code ?? [] };
}

function written(node: Node): string {
  if ('value' in node) return node.value;
  return 'children' in node ? node.children.map(written).join('') : ' ';
}

/** Blanks, and the marks of code, emphasis and headings, are not compared. */
function withoutMarks(text: string): string {
  return text.replaceAll(/[\s`*_#\\]+/g, '');
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

const MARKS = [
  '> ',
  '>',
  '- ',
  '-   ',
  '* ',
  '+\t',
  '1. ',
  '1)    ',
  ' ',
  '  ',
  '   ',
  '    ',
  '     ',
  '\t',
];
const LINES = [
  'w',
  'w',
  'w',
  '',
  '',
  ' ',
  '# w',
  '## w ##',
  '#',
  '```',
  '```',
  '````',
  '~~~',
  '~~~ w',
  '===',
  '--',
  '=== ',
  '\\# w',
];

test('text, headings and fenced code are where CommonMark has them', () => {
  const line = fc.tuple(fc.array(fc.constantFrom(...MARKS), { maxLength: 3 }), fc.constantFrom(...LINES));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
      const text = lines.map(([marks, content]) => `${marks.join('')}${content}`).join('\n');
      // The parser lets no empty item begin in some places where CommonMark does.
      fc.pre(!/(?:^|[ \t>.)])(?:[-+*]|\d+[.)])[ \t]*$/m.test(text));
      expect(found(text)).toEqual(byCommonMark(text));
    }),
    { numRuns: sampled(20_000, 2_000) },
  );
});

test.each([
  '> # w\n   > # w',
  '> w\n    > w',
  '-\n\n  # w',
  '-\n  # w\n\n  # w',
  '- - w\n\n\n    # w',
  '- > w\n\n  # w',
  '2)     w',
  'w\n2. w',
  '-    w\n\n     # w',
  '-    w\n\n  w',
  '-     w\n\n  w',
  'w\n===  \nw',
  '> ```\nw\n```\nw',
  '```\n# w\n```\n~~~\nw',
  '> ```\n\n> # w',
  '- > ```\n\n  > # w',
])('in %j they are where CommonMark has them', (text) => {
  expect(found(text)).toEqual(byCommonMark(text));
});

test.each([
  '[a]: b.md\n---\nw',
  '[ab]: b.md\n===\nw',
  '> [ab]: b.md\n> ===\nw',
  'w [a]:\n===',
  'w\n[a]: b.md\n===',
  '[a]:\nb.md\n===\nw',
  '[a]: b.md\n"t"\n===',
  '[a]: b.md\nw\n===',
  '[a]: b c\n===',
])('in %j a line below a definition makes no heading of it, as in CommonMark', (text) => {
  expect(found(text).titles.length).toBe(byCommonMark(text).titles.length);
});

test('definitions are looked for above an underline in 50,000 characters, which takes a moment', () => {
  const definition = '[abcd]: b\n';
  expect(scanBlocks(`${definition.repeat(5_000)}===`).headings).toEqual([]);
  expect(scanBlocks(`${definition.repeat(5_001)}===`).headings).toHaveLength(1);
});

test('quotes and lists are text from the hundred and first on', () => {
  for (const mark of ['> ', '- ']) {
    expect(found(`${mark.repeat(100)}# w`).titles).toEqual(['1-1']);
    expect(found(`${mark.repeat(101)}# w`).titles).toEqual([]);
  }
});

test.each([
  ['```\na\n```\nb', ['```\na\n```\n']],
  ['- ```\n  a\n\nb\n', ['- ```\n  a\n\n']],
  ['```\na', ['```\na']],
  ['<!-- a\n\nb -->\nc\n~~~\n~~~', ['<!-- a\n\nb -->\n', '~~~\n~~~']],
])('%j has its whole lines of code and comments', (text, raws) => {
  expect(scanBlocks(text).raws.map(({ start, end }) => text.slice(start, end))).toEqual(raws);
});
