import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { expect, test } from 'vitest';
import { sampled } from '../../../../../../labs/sample.ts';
import { linksOfTag } from '../links/html-links.ts';
import { labelKey } from '../merging/merged-labels.ts';
import { InlineScanner } from './inline-scanner.ts';
import type { Span } from './markdown.ts';
import { scanBlocks } from './markdown-blocks.ts';

const DEFINITIONS = '\n\n[a]: a.md\n[ b  C ]: b.md\n';

/** The links and images in a paragraph as `start-end text`, the label of a reference, and the addresses in HTML. */
function found(text: string, isDefined: ((label: string) => boolean) | null): string[] {
  const { links, labels } = scan(text, isDefined);
  const shownLinks = links.map(({ kind, embed, alias, start, end, target }) =>
    kind === 'html' ? `${start}-${end} ${target}` : `${start}-${end} ${embed ? '!' : ''}[${alias}]`,
  );
  const references = labels
    .filter(({ isLink }) => isLink)
    .map(({ shown: { start, end }, form, text: label }) => {
      const rest = { full: label.length + 3, collapsed: 3, shortcut: 1, definition: 0 }[form];
      return `${start - 1}-${end + rest} [${text.slice(start, end)}] ${label}`;
    });
  return [...shownLinks, ...references].toSorted();
}

/** A paragraph in which much begins and nothing ends, and none of it counts behind it. */
const BEFORE = 'x [a [b](c.md ![d `` e <code> <!-- [[f\n\n';

/** The contents of a paragraph behind that one, with places in its own text. */
function scan(text: string, isDefined: ((label: string) => boolean) | null = null) {
  const scanner = new InlineScanner(BEFORE + text, isDefined);
  const spans = [
    { start: 0, end: BEFORE.length },
    { start: BEFORE.length, end: BEFORE.length + text.length },
  ];
  expect([...scanner.scan(spans)]).toEqual([]);
  const moved = <Place extends Span>(place: Place) => ({
    ...place,
    start: place.start - BEFORE.length,
    end: place.end - BEFORE.length,
  });
  return {
    links: scanner.links.map(moved),
    tags: scanner.tags.map(moved),
    labels: scanner.labels
      .filter(({ start }) => start >= BEFORE.length)
      .map((label) => ({ ...moved(label), shown: moved(label.shown) })),
  };
}

interface Token {
  type: string;
  start: { offset: number };
  end: { offset: number };
}

/** The same, as a parser of CommonMark has it; null if the text is not one paragraph. */
function byCommonMark(text: string, definitions: string): string[] | null {
  const [links, html]: [Token[], Token[]] = [[], []];
  /** What follows the text of links, by its end: an address or a label. */
  const rests = new Map<number, Token>();
  const { children } = fromMarkdown(text + definitions, {
    mdastExtensions: [
      {
        enter: {
          link(token) {
            links.push(token);
            this.enter({ type: 'link', url: '', children: [] }, token);
          },
          image(token) {
            links.push(token);
            this.enter({ type: 'image', url: '', alt: '' }, token);
          },
          resource: (token) => void rests.set(token.end.offset, token),
          reference: (token) => void rests.set(token.end.offset, token),
          htmlText(token) {
            html.push(token);
            this.enter({ type: 'html', value: '' }, token);
            this.buffer();
          },
        },
      },
    ],
  });
  const [paragraph, ...others] = children.map(({ type }) => type);
  if (paragraph !== 'paragraph' || others.some((type) => type !== 'definition')) return null;
  const inHtml = html.flatMap(({ start, end }) =>
    linksOfTag(text.slice(start.offset, end.offset), start.offset),
  );
  return [
    ...inHtml.map(({ start, end, target }) => `${start}-${end} ${target}`),
    ...links.flatMap(({ start: { offset: start }, end: { offset: end } }) => {
      const rest = rests.get(end);
      const shown = text.slice(start, rest?.start.offset ?? end);
      if (rest?.type === 'resource') {
        return text.slice(rest.start.offset, end).includes('.md') ? [`${start}-${end} ${shown}`] : [];
      }
      const label = rest === undefined ? '' : text.slice(rest.start.offset + 1, end - 1);
      const from = text.indexOf('[', start);
      return [
        `${from}-${end} ${text.slice(from, start + shown.length)} ${label || shown.slice(shown.indexOf('[') + 1, -1)}`,
      ];
    }),
  ].toSorted();
}

/** What we read in another way. */
function isReadInAnotherWay(text: string): boolean {
  return (
    // Wikilinks.
    /\[\[[^[\n]*?\]\]/.test(text) ||
    // In a value without quotes, the parser takes a slash as its end. CommonMark does not.
    /=\s*[^\s"'>]*\/(?!>)/.test(text) ||
    // The parser lets neither a blank label nor a bracket without an end follow a label. CommonMark does.
    /\]\[(?!\]|(?!\s*\])(?:[^[\]\\]|\\.)*\])/s.test(text)
  );
}

const joined = (maxLength: number, ...pieces: string[]) =>
  fc.array(fc.constantFrom(...pieces), { maxLength }).map((each) => each.join(''));

const MARKS = [
  '[',
  ']',
  '![',
  '!',
  '](a.md)',
  '](b.md "t")',
  '](<c.md>)',
  '(',
  '\\',
  ' x ',
  '\nx',
  '`',
  '``',
];
const LABELS = ['[a]', '[a]', '[B C]', '[b\nc]', '[x]', '[]', '[', ']', '![', '\\', '`'];
const TAGS = [
  '<a href=h.md',
  '<img src="s.md"',
  '<a href',
  '<b',
  '</a',
  '</b1',
  '</2',
  '<x:',
  '<y+z.-1:',
  '<!--',
];
const IN_TAGS = [' ', '\n', 'x', ' c', " d='e>'", ' _:f.g-h = i', '"', '/', '`', '=', '>', '>', '-->'];

test.each([
  ['brackets, code and escapes', joined(12, ...MARKS), ''],
  ['tags, comments and addresses', joined(8, '[', '](a.md)', '`', '\\', ...TAGS, ...IN_TAGS), ''],
  ['references', joined(10, ...LABELS), DEFINITIONS],
  ['all of them', joined(10, ...MARKS, ...LABELS, ...TAGS, ...IN_TAGS), DEFINITIONS],
])('in a paragraph with %s the links are those of CommonMark', (_, pieces, definitions) => {
  const isDefined = (label: string) => ['A', 'B C'].includes(labelKey(label));
  let compared = 0;
  fc.assert(
    fc.property(pieces, (written) => {
      const text = `x${written}x`;
      const wanted = byCommonMark(text, definitions);
      fc.pre(wanted !== null && !isReadInAnotherWay(text));
      compared += wanted.length;
      expect(found(text, definitions === '' ? null : isDefined)).toEqual(wanted);
    }),
    { numRuns: sampled(20_000, 2_000) },
  );
  expect(compared).toBeGreaterThan(50);
});

test.each([
  '[x ![a] y](a.md)',
  '[x [a] y](a.md)',
  '[x ![a][B C] y](a.md)',
  '[x [a][b c] y][a]',
  '[x ![a](b.md) y][a]',
  '![x [a](b.md) y][a]',
  '[x [a](b.md) y][a]',
  '[a][x][a]',
  '[a] [x [a] y]',
])('in %j the links and references are those of CommonMark', (text) => {
  const wanted = byCommonMark(`x${text}x`, DEFINITIONS);
  expect(wanted).not.toEqual([]);
  expect(found(`x${text}x`, (label) => ['A', 'B C'].includes(labelKey(label)))).toEqual(wanted);
});

test.each<[text: string, labels: string[]]>([
  ['[]', []],
  ['[ ]', []],
  ['[a][ ]', ['shortcut a']],
  ['[a][]', ['collapsed a']],
  ['[ ][]', []],
  ['[a [b] c]', ['shortcut b']],
  ['![a ![b] c]', ['shortcut b']],
  ['[a [b] c][d]', ['shortcut b', 'shortcut d']],
  ['![a [b] c][d]', ['shortcut b', 'full d']],
  ['[a\\]b]', ['shortcut a\\]b']],
  ['[a\\\nb][c\\\nd]', ['full c\\\nd']],
  ['[a](b.md)', []],
  ['[^1]', ['shortcut ^1']],
])('the labels of %j are as the specification has them if each is defined', (text, labels) => {
  expect(labelsOf(text)).toEqual(labels);
});

test('a label has at most 999 characters', () => {
  const [longest, tooLong] = ['l'.repeat(999), 'l'.repeat(1_000)];
  expect(labelsOf(`[${longest}] [a][${longest}]`)).toEqual([`shortcut ${longest}`, `full ${longest}`]);
  expect(labelsOf(`[${tooLong}] [a][${tooLong}]`)).toEqual(['shortcut a']);
});

function labelsOf(text: string): string[] {
  return scan(text, () => true).labels.map(({ form, text: label, start, end }) => {
    expect(text.slice(start, end)).toBe(label);
    return `${form} ${label}`;
  });
}

test.each<[text: string, tags: string[]]>([
  ['#a', ['0-2 a']],
  ['x #a/b-c #d', ['2-8 a/b-c', '9-11 d']],
  ['[[https://e.org #a]] #b', ['21-23 b']],
  ['[[Page #a]] #b', ['12-14 b']],
  ['<code>ab #cde</code> #f', ['21-23 f']],
  ['#1/2 #1a', ['5-8 1a']],
  ['##a #', []],
])('%j has the tags of its text alone', (text, tags) => {
  expect(scan(text).tags.map(({ start, end, name }) => `${start}-${end} ${name}`)).toEqual(tags);
});

/** The definitions of a page with their places and addresses, as we find them. */
function definitions(text: string): string[] {
  const scanner = new InlineScanner(text);
  expect([...scanner.scan(scanBlocks(text).prose)]).toEqual([]);
  const ends = new Map(scanner.links.map(({ start, end }) => [start, end]));
  return scanner.labels.map(({ text: label, start, end, destination }) => {
    expect(text.slice(start, end)).toBe(label);
    return `${start - 1}-${ends.get(start - 1)} ${label}: ${destination}`;
  });
}

function definitionsByCommonMark(text: string): string[] {
  const root = fromMarkdown(text);
  return root.children.flatMap((node) => {
    if (node.type !== 'definition') return [];
    const [start, end] = [node.position?.start.offset ?? 0, node.position?.end.offset ?? 0];
    const written = text.slice(start, end);
    const label = /^\[((?:[^\]\\]|\\.)*)\]:\s*/s.exec(written);
    return [`${start}-${end} ${label?.[1]}: ${written.slice(label?.[0].length).replace(/^</, '').trim()}`];
  });
}

test('definitions are those of CommonMark', () => {
  const pieces = [
    '[a]:',
    '[b\nc]:',
    '[',
    ']:',
    'x',
    '\\',
    ' ',
    '\t',
    '\n',
    ' a.md',
    '<b.md>',
    ' "t"',
    " '",
    '(u)',
  ];
  let compared = 0;
  fc.assert(
    fc.property(joined(8, ...pieces), (text) => {
      const wanted = definitionsByCommonMark(text);
      compared += wanted.length;
      expect(definitions(text)).toEqual(wanted);
    }),
    { numRuns: sampled(20_000, 2_000) },
  );
  expect(compared).toBeGreaterThan(50);
});

test.each([
  '[a]: b.md\n  [c]: d.md',
  '[a]:\r\nb.md\r\n[c]: d.md',
  '[a\\\nb]: c.md',
  '[a\\]b]: c.md',
  '[a]: b.md\r\n"t"\r\n',
  '[a]:\n    b.md',
  '  [\n\t ]: b.md',
])('the definitions of %j are those of CommonMark', (text) => {
  expect(definitions(text)).toEqual(definitionsByCommonMark(text));
});
