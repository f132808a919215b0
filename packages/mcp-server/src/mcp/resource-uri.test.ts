import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseResourceUri, resourceUri } from './resource-uri.ts';

test('an address is parsed back to the same resource, for any path', () => {
  const path = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.isWellFormed());
  const commit = fc.option(fc.stringMatching(/^[0-9a-f]{40}$/));
  fc.assert(
    fc.property(path, commit, (path, commit) => {
      const resource = { kind: 'page', wiki: 'main', path, commit } as const;
      const uri = resourceUri(resource);
      expect(uri).toMatch(/^[!-~]+$/);
      expect(parseResourceUri(uri)).toEqual(resource);
    }),
  );
});

test('the addresses look like those that people would write', () => {
  expect(parseResourceUri('wiki://main/page/Guides/Getting%20Started')).toEqual({
    kind: 'page',
    wiki: 'main',
    path: 'Guides/Getting Started',
    commit: null,
  });
  expect(parseResourceUri('wiki://help/index')).toEqual({ kind: 'index', wiki: 'help' });
  expect(parseResourceUri('wiki://help/recent')).toEqual({ kind: 'recent', wiki: 'help' });
  expect(resourceUri({ kind: 'page', wiki: 'main', path: 'A/B', commit: 'abcd1234' })).toBe(
    'wiki://main/at/abcd1234/page/A/B',
  );
});

test.each([
  ...[
    '',
    'wiki:',
    'wiki://main',
    'wiki://main/',
    'wiki://main/page/',
    'wiki://Main/page/A',
    'wiki://main/other',
  ],
  ...['http://main/page/A', 'wiki://main/page/%', 'wiki://main/at/xyz/page/A', 'file:///etc/passwd'],
])('%j is not the address of a resource', (uri) => {
  expect(parseResourceUri(uri)).toBeNull();
});
