import { expect, test } from 'vitest';
import { describeScope, parseScope } from './scope-setting.ts';

test('without a setting there is no limit', () => {
  expect(parseScope(null, null)).toEqual({ kind: 'scope', scope: null });
});

test.each([
  ['notes/', null, { read: ['notes/'], write: ['notes/'] }],
  ['notes/, Team/Ada/', null, { read: ['notes/', 'Team/Ada/'], write: ['notes/', 'Team/Ada/'] }],
  ['notes/', 'notes/inbox/', { read: ['notes/'], write: ['notes/inbox/'] }],
  [null, 'inbox/', { read: [''], write: ['inbox/'] }],
])('--scope %s --write-scope %s', (read, write, scope) => {
  expect(parseScope(read, write)).toEqual({ kind: 'scope', scope });
});

test.each([
  ['notes', null, /"notes" is no folder.*Did you mean "notes\/"\?/],
  ['/notes/', null, /Did you mean "notes\/"\?/],
  ['.\\notes', null, /Did you mean "notes\/"\?/],
  ['notes/,', null, /The scope "" is no folder/],
  ['a\\v1.2', null, /Did you mean "a\/v1\.2\/"\?/],
  ['notes/../secret/', null, /is no folder of a wiki with a slash at its end\. Write it like "Guides\/"\.$/],
  ['notes//', null, /Did you mean "notes\/"\?/],
  ['notes/', 'notes-private/', /"notes-private\/" may be changed .* but not read/],
  ['notes/', 'inbox/', /"inbox\/" may be changed .* but not read/],
])('--scope %s --write-scope %s is a mistake that one plain sentence names', (read, write, sentence) => {
  expect(parseScope(read, write)).toMatchObject({
    kind: 'mistake',
    sentence: expect.stringMatching(sentence),
  });
});

test('a scope is described in words', () => {
  expect(describeScope({ read: ['a/'], write: ['a/'] })).toBe('only what lies in "a/" is there');
  expect(describeScope({ read: [''], write: ['a/'] })).toBe(
    'everything may be read, and only what lies in "a/" may be changed',
  );
  expect(describeScope({ read: ['a/', 'b/'], write: ['a/'] })).toBe(
    'only what lies in "a/", "b/" is there, and only what lies in "a/" may be changed',
  );
  expect(describeScope({ read: ['a/'], write: ['a/', 'a/b/'] })).toBe('only what lies in "a/" is there');
  const many = ['x'.repeat(90), 'b/', 'c/', 'd/', 'e/'];
  expect(describeScope({ read: many, write: many })).toBe(
    `only what lies in "${'x'.repeat(80)}", "b/", "c/" and 2 more folders is there`,
  );
});
