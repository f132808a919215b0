import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limits } from './limits.ts';
import { liesIn, scope } from './scope.ts';

/** The name of a folder or page in either form of Unicode, in either case, alike, or the beginning of another one. */
const name = fc.constantFrom('a', 'A', '\uff41', 'ab', 'a b', '\u00e9', 'e\u0301', '...', '.a');
const folder = fc.array(name, { maxLength: 3 });

test('a path lies in a folder if it begins with the names of the folder, and has more', () => {
  fc.assert(
    fc.property(fc.array(folder, { maxLength: 3 }), folder, name, (folders, above, last) => {
      const path = [...above, last];
      const isBelow = folders.some(
        (names) =>
          names.length < path.length && names.every((each, at) => each.normalize() === path[at]?.normalize()),
      );
      expect(liesIn(parsed(folders.map(written)), path.join('/'))).toBe(isBelow);
    }),
    { numRuns: 3_000 },
  );
});

test('each folder of a scope is one of the wiki, with a slash at its end', () => {
  const piece = fc.constantFrom('a', '/', '.', '..', '\\', '\n', '\u0085', '\ud800', ' ', '\u00e9');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const text = pieces.join('');
      expect(scope.safeParse({ read: [text], write: ['a/'] }).success).toBe(isFolder(text));
      expect(scope.safeParse({ read: ['a/'], write: ['a/', text] }).success).toBe(isFolder(text));
    }),
    { numRuns: 3_000 },
  );
});

/** The whole wiki, or names with a slash behind each of them. A name has a sign that is no dot, or three dots. */
function isFolder(text: string): boolean {
  if (text === '') return true;
  const names = text.split('/');
  const hasForbidden = [...'\\\n\u0085\ud800'].some((sign) => text.includes(sign));
  return !hasForbidden && names.pop() === '' && names.every((each) => /[^.]|\.{3}/.test(each));
}

test.each([
  [{ read: ['a/'] }],
  [{ write: ['a/'] }],
  [{ read: [], write: ['a/'] }],
  [{ read: ['a/'], write: [] }],
  [{ read: ['a/'], write: ['a/'], delete: ['a/'] }],
  [{ read: 'a/', write: ['a/'] }],
  [{ read: ['a/'], write: [null] }],
])('%j is no scope', (value) => {
  expect(scope.safeParse(value).success).toBe(false);
});

test('a refused folder is described', () => {
  const { error } = scope.safeParse({ read: ['a'], write: ['a/'] });
  expect(error?.issues).toMatchObject([
    { path: ['read', 0], message: 'must be a folder of the wiki with a slash at its end, as "Guides/"' },
  ]);
});

test('a folder has at most as many characters as a path, and is kept in NFC', () => {
  const longest = `${'a'.repeat(limits.pathCharacters - 1)}/`;
  expect(parsed([longest])).toEqual([longest]);
  expect(scope.safeParse({ read: [`a${longest}`], write: ['a/'] }).success).toBe(false);
  expect(parsed(['e\u0301/'])).toEqual(['\u00e9/']);
});

function written(names: readonly string[]): string {
  return names.map((each) => `${each}/`).join('');
}

/** Folders as a call has them. */
function parsed(folders: readonly string[]): readonly string[] {
  return folders.length === 0 ? [] : scope.parse({ read: folders, write: ['a/'] }).read;
}
