import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodesLetters, formatDestination, parseDestination, parseWikiTarget } from './link-target.ts';

test('what is written for a path means that path', () => {
  const name = fc.string({
    unit: fc.constantFrom('a', ' ', '#', '%', '2', '0', '(', ')', '<', '\\', '日', '🎉', '?', '_', '/'),
  });
  const style = fc.record({ angle: fc.boolean(), encodeAll: fc.boolean() });
  fc.assert(
    fc.property(name, style, (path, written) => {
      fc.pre(!path.startsWith('//'));
      expect(parseDestination(formatDestination(path, written))).toEqual({ target: path, anchor: null });
    }),
    { numRuns: 1_000 },
  );
});

test('only what must be is percent-encoded, unless the letters were', () => {
  const path = 'Größe/My Page (1).md';
  expect(formatDestination(path, { angle: false, encodeAll: false })).toBe('Größe/My%20Page%20%281%29.md');
  expect(formatDestination(path, { angle: true, encodeAll: false })).toBe(path);
  expect(formatDestination('ß', { angle: false, encodeAll: true })).toBe('%C3%9F');
  expect(formatDestination('100% %20', { angle: false, encodeAll: false })).toBe('100%25%20%2520');
  expect(formatDestination('100%.md', { angle: false, encodeAll: false })).toBe('100%.md');
  expect([encodesLetters('%C3%9F'), encodesLetters('a%20b')]).toEqual([true, false]);
});

test('a link out of the wiki has no target', () => {
  expect(parseDestination('https://example.org')).toBeNull();
  expect(parseDestination('//example.org')).toBeNull();
  expect(parseWikiTarget('https://example.org')).toBeNull();
  expect(parseWikiTarget('Q: A#B')).toEqual({ target: 'Q: A', anchor: 'B' });
});
