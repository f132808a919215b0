import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepLineEnds } from './posted-text.ts';

const END = fc.constantFrom('\n', '\r\n', '\r');
const LINE = fc
  .tuple(fc.constantFrom('', 'a', 'b', 'a\0b', '\t', 'ä', '\uFEFF'), END)
  .map(([text, end]) => text + end);
const PAGE = fc
  .tuple(fc.array(LINE, { maxLength: 8 }), fc.constantFrom('', 'end'))
  .map(([lines, last]) => lines.join('') + last)
  // The wiki keeps a mark at the beginning apart from the text.
  .filter((text) => !text.startsWith('\uFEFF'));

/** As browsers do: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html */
function sentByBrowser(text: string): string {
  return text.replaceAll('\0', '\uFFFD').replaceAll(/\r\n?|\n/g, '\r\n');
}

test('a text that nobody changed comes back to the byte', () => {
  fc.assert(
    fc.property(PAGE, (page) => {
      expect(keepLineEnds(page, sentByBrowser(page))).toBe(page);
    }),
  );
  const odd = '\uFEFFa\r\nb';
  expect(keepLineEnds(odd, sentByBrowser(odd).replace('\uFEFF', ''))).toBe(odd);
});

test('a new line ends as most do, and every other line as before', () => {
  fc.assert(
    fc.property(PAGE, PAGE, (before, after) => {
      const page = `${before}x\r\n`;
      const whole = sentByBrowser(`${page}new\n${after}`);
      expect(keepLineEnds(page + after, whole)).toSatisfy(
        (kept: string) => sentByBrowser(kept) === whole && kept.startsWith(before) && kept.endsWith(after),
      );
    }),
  );
  expect(keepLineEnds('a\r\nb\nc\r\n', 'a\r\nnew\r\nb\r\nc\r\n')).toBe('a\r\nnew\r\nb\nc\r\n');
  expect(keepLineEnds('a\nb\n', 'a\r\nb\r\nc\r\n')).toBe('a\nb\nc\n');
});

test('no line is lost, whatever changed', () => {
  fc.assert(
    fc.property(PAGE, PAGE, (before, after) => {
      expect(sentByBrowser(keepLineEnds(before, sentByBrowser(after)))).toBe(sentByBrowser(after));
    }),
    { numRuns: 500 },
  );
  expect(keepLineEnds('\r\rb\n\n', '\r\n\r\n\r\n')).toBe('\n\n\n');
  expect(keepLineEnds('a\rb\n\nc\r', 'a\r\n\r\nc\r\n')).toBe('a\n\nc\r');
});

test('final line feeds stay, are added and are removed', () => {
  expect(keepLineEnds('a', 'a\r\n')).toBe('a\n');
  expect(keepLineEnds('a\r\nb\r\n', 'a\r\nb')).toBe('a\r\nb');
  expect(keepLineEnds('a\r\n\r\n\r\n', 'a\r\n\r\n\r\n')).toBe('a\r\n\r\n\r\n');
});

test('in a page of many changed lines those at its ends still stay', () => {
  const many = (end: string, text: string) => Array.from({ length: 3_000 }, (_, at) => `${text} ${at}${end}`);
  const before = ['first\r', ...many('\r\n', 'old'), 'last\n'].join('');
  const after = ['first\n', ...many('\n', 'new'), 'last\n'].join('');
  const expected = ['first\r', ...many('\r\n', 'new'), 'last\n'].join('');
  expect(keepLineEnds(before, sentByBrowser(after))).toBe(expected);
});
