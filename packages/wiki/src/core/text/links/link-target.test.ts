import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodesLetters, formatDestination, parseDestination, parseWikiTarget } from './link-target.ts';

test('a link written for a path leads to that path', () => {
  const name = fc.string({
    unit: fc.constantFrom(
      'a',
      ' ',
      '#',
      '%',
      '2',
      '0',
      '(',
      ')',
      '<',
      '\\',
      '日',
      '🎉',
      '?',
      '_',
      '/',
      '&',
      'amp',
      ';',
    ),
  });
  const style = fc.record({
    syntax: fc.constantFrom('markdown' as const, 'html' as const),
    angle: fc.boolean(),
    encodeAll: fc.boolean(),
    bareBars: fc.boolean(),
  });
  fc.assert(
    fc.property(name, style, (path, written) => {
      fc.pre(!path.startsWith('//'));
      expect(parseDestination(formatDestination(path, written), written.syntax)).toEqual({
        target: path,
        query: null,
        anchor: null,
      });
    }),
    { numRuns: 1_000 },
  );
});

test('only characters that need it are percent-encoded, unless the letters were', () => {
  const path = 'Größe/My Page (1).md';
  expect(
    formatDestination(path, { syntax: 'markdown', angle: false, encodeAll: false, bareBars: false }),
  ).toBe('Größe/My%20Page%20%281%29.md');
  expect(
    formatDestination(path, { syntax: 'markdown', angle: true, encodeAll: false, bareBars: false }),
  ).toBe(path);
  expect(formatDestination('ß', { syntax: 'markdown', angle: false, encodeAll: true, bareBars: false })).toBe(
    '%C3%9F',
  );
  expect(
    formatDestination('100% %20', { syntax: 'markdown', angle: false, encodeAll: false, bareBars: false }),
  ).toBe('100%25%20%2520');
  expect(
    formatDestination('100%.md', { syntax: 'markdown', angle: false, encodeAll: false, bareBars: false }),
  ).toBe('100%.md');
  const plain = { syntax: 'markdown', angle: false, encodeAll: false, bareBars: true } as const;
  expect(['5%a.md', 'a\tb', 'R&amp;D|x'].map((each) => formatDestination(each, plain))).toEqual([
    '5%a.md',
    'a%09b',
    'R%26amp;D|x',
  ]);
  expect([encodesLetters('%C3%9F'), encodesLetters('a%20b')]).toEqual([true, false]);
});

test('a link out of the wiki has no target', () => {
  expect(parseDestination('https://example.org')).toBeNull();
  expect(parseDestination('//example.org')).toBeNull();
  expect(parseWikiTarget('https://example.org')).toBeNull();
  expect(parseWikiTarget('Q: A#B')).toEqual({ target: 'Q: A', query: null, anchor: 'B' });
  expect(parseWikiTarget('On https://x')).toEqual({ target: 'On https://x', query: null, anchor: null });
  expect(parseDestination('?page=2#part')).toBeNull();
});

test('a query and an anchor are no part of the path, unless they are percent-encoded', () => {
  const parsed = (written: string) => Object.values(parseDestination(written) ?? {});
  expect(parsed('a.png?raw=true&x=%20#b%20c?d#e')).toEqual(['a.png', '?raw=true&x= ', 'b c?d#e']);
  expect(parsed('a.md#b?c')).toEqual(['a.md', null, 'b?c']);
  expect(parsed('a%3Fb%23c.md?')).toEqual(['a?b#c.md', '?', null]);
});

test('in HTML a backslash is no escape', () => {
  expect(parseDestination('a\\_b&amp;c.md', 'html')).toMatchObject({ target: 'a\\_b&c.md' });
  expect(parseDestination('a\\_b&amp;c.md')).toMatchObject({ target: 'a_b&c.md' });
});

test('character references and escapes stand for their characters', () => {
  const parsed = (written: string) => Object.values(parseDestination(written) ?? {});
  expect(parsed('R&amp;D/&Uuml;ber&#32;x.md')).toEqual(['R&D/Über x.md', null, null]);
  expect(parsed('a&quest;b&#35;c&num;d')).toEqual(['a', '?b', 'c#d']);
  expect(parsed('a\\?b\\#c')).toEqual(['a', '?b', 'c']);
  expect(parsed('a&nothing;.md')).toEqual(['a&nothing;.md', null, null]);
  expect(parseDestination('https&colon;//example.org')).toBeNull();
});
