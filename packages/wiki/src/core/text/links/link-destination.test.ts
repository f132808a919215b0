import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { decodeString } from 'micromark-util-decode-string';
import { expect, test } from 'vitest';
import { findDestination } from './link-destination.ts';

/** The destination and the end of the link that begins a text, as we find them. */
function found(text: string): [string, number] | null {
  const destination = findDestination(text, '[a]('.length, /[ \t\r\n]*\)/y);
  if (destination === null) return null;
  const { start, destinationEnd, end, angle } = destination;
  expect(angle).toBe(text[start - 1] === '<');
  return [decodeString(text.slice(start, destinationEnd)), end];
}

/** The same, as CommonMark has it; undefined if the text is not one paragraph. */
function byCommonMark(text: string): [string, number] | null | undefined {
  const [block, ...others] = fromMarkdown(text).children;
  if (block?.type !== 'paragraph' || others.length > 0) return undefined;
  const [link] = block.children;
  return link?.type === 'link' ? [link.url, link.position?.end.offset ?? -1] : null;
}

const piece = fc.constantFrom(
  ...['x', '(', ')', '<', '>', '\\', '"', "'", ' ', '\t', '\n', '\r\n', '*', '&amp;', 'é', '\\)', '\\x'],
  ...['"t"', "'t'", '(t)', '<x y>', '"a\\"b"', '(a\\)b)', '"a\nb"', '\u0001', '=', '\\ '],
);

test('the destination of a link ends where CommonMark ends it, whatever is written', () => {
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 8 }),
      fc.constantFrom(')', ' )', '\n)', ') x)'),
      (pieces, end) => {
        const text = `[a](${pieces.join('')}${end}`;
        const wanted = byCommonMark(text);
        // The library takes a `(` in a title in parentheses, which CommonMark does not.
        fc.pre(wanted !== undefined && !/\s\((?:[^()\\]|\\.)*\(/s.test(text));
        expect(found(text)).toEqual(wanted);
      },
    ),
    { numRuns: 2_000 },
  );
});

test.each([
  '[a](<x>)',
  '[a](<>)',
  '[a]()',
  '[a](<x\\>y>)',
  '[a](<x)',
  '[a](<x\\>yz\\>>)',
  '[a](x "t\\"u")',
  '[a](x "t\\" u\\\\ vw\\ x")',
  "[a](x 't\\' u\\\\ vw\\ x')",
  '[a](x (t\\) u\\\\ vw\\ x))',
  '[a](x (title))',
  '[a](x\\',
  "[a](x\n 't')",
  '[a](x (t\\)u) )',
  '[a](x"t")',
  '[a](\n x)',
  '[a](x\\)y)',
  '[a](x\\y)',
  '[a](x\u007fy)',
  '[a](x(y )',
  `[a](${'('.repeat(32)}x${')'.repeat(32)})`,
  `[a](${'('.repeat(33)}x${')'.repeat(33)})`,
])('%j has the destination that CommonMark gives it', (text) => {
  expect(found(text)).toEqual(byCommonMark(text));
});
