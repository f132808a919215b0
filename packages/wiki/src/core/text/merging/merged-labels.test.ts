import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { expect, test } from 'vitest';
import { sampled } from '../../../../../../labs/sample.ts';
import { idleCpuMsOf } from '../../../../test/machine-speed.ts';
import { atOnce } from '../../../scheduling/in-turns.ts';
import { distinctLabels, labelKey } from './merged-labels.ts';

test('two pages of many definitions take time in proportion to their length', () => {
  const page = (name: string) => Array.from({ length: 10_000 }, (_, at) => `[${name}${at}]: /x\n`).join('\n');
  const merge = () => atOnce(distinctLabels(page('a'), page('b')));
  expect(idleCpuMsOf(merge)).toBeLessThan(1_000);
});

test('labels are the same in letters of either case and with any blanks, but not without them', () => {
  expect(labelKey(' B \n c\t')).toBe(labelKey('b C'));
  expect(labelKey('bc')).not.toBe(labelKey('b c'));
});

/** What a reader sees of a page by CommonMark: texts, and for links and images where they lead. */
function shown(text: string): string[] {
  const { children } = fromMarkdown(text);
  const addresses = new Map<string, string>();
  for (const node of children)
    if (node.type === 'definition' && !addresses.has(node.identifier))
      addresses.set(node.identifier, node.url);
  const walk = (node: Node): string => {
    if (node.type === 'definition') return '';
    const address = 'url' in node ? node.url : 'identifier' in node ? addresses.get(node.identifier) : null;
    const inside = 'children' in node ? node.children.map(walk).join('') : '';
    const own = 'value' in node ? node.value : 'alt' in node ? (node.alt ?? '') : inside;
    return address === null ? own : `{${own}|${address}}`;
  };
  return children.map(walk).filter((each) => each !== '');
}

type Node = ReturnType<typeof fromMarkdown>['children'][number];

function merged(page: string, body: string): string {
  const { replacements } = atOnce(distinctLabels(page, body));
  let text = '';
  let kept = 0;
  for (const { start, end, text: other } of replacements) {
    text += body.slice(kept, start) + other;
    kept = end;
  }
  return `${page}\n\n${text}${body.slice(kept)}`;
}

const piece = fc.constantFrom(
  '[',
  ']',
  '![',
  '[a]',
  '[a]',
  '[B c]',
  '[]',
  '(d.md)',
  '`',
  '\\',
  'x',
  ' ',
  '\n',
);
const paragraph = fc.array(piece, { maxLength: 8 }).map((pieces) => `x${pieces.join('')}x`);
const definitions = fc.subarray(['[a]: a', '[b C]: b', '[a]: https://e.org/']);

test('what a reader sees of two pages stays as it was when they are merged', () => {
  let links = 0;
  fc.assert(
    fc.property(paragraph, definitions, paragraph, definitions, (first, ofFirst, second, ofSecond) => {
      const page = [first, '', ...ofFirst.map((each, at) => `${each}${at}`)].join('\n');
      const body = [second, '', ...ofSecond.map((each, at) => `${each}${at + 2}`)].join('\n');
      // The parser lets no bracket without an end, and no blank, follow a label. CommonMark does.
      const paragraphs = `${page}\n\n${body}`.split(/\n[ \t]*\n/);
      fc.pre(!paragraphs.some((each) => /\]\[(?!\]|(?!\s*\])(?:[^[\]\\]|\\.)*\])/s.test(each)));
      fc.pre(!/\[\[[^[\n]*?\]\]/.test(page + body));
      const wanted = [...shown(page), ...shown(body)];
      // A page that ends within code takes in what follows.
      fc.pre(!/\n *`{3}/.test(page + body));
      links += wanted.join('').split('|').length - 1;
      expect(shown(merged(page, body))).toEqual(wanted);
    }),
    { numRuns: sampled(20_000, 2_000) },
  );
  expect(links).toBeGreaterThan(100);
});
