import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WikiError } from '../../contract/errors.ts';
import { hasOtherForms, pagePathOf, parseNewPagePath, parsePagePath, treePathOf } from './page-path.ts';

function refusal(parse: (input: string) => string, input: string): WikiError {
  try {
    parse(input);
  } catch (error) {
    if (error instanceof WikiError) return error;
    throw error;
  }
  throw new Error(`${JSON.stringify(input)} was accepted`);
}

describe('a path to read', () => {
  test('loses its extension and becomes NFC', () => {
    expect(parsePagePath('Guides/Getting Started.md')).toBe('Guides/Getting Started');
    expect(parsePagePath('README.MD')).toBe('README');
    expect(parsePagePath('Cafe\u0301')).toBe('Caf\u00e9');
  });

  test.each([
    'C# & 100% 🎉',
    '日本語/ページ',
    'ends with a space ',
    'a\\b',
    'x'.repeat(1_000),
    'CON',
    '.obsidian/notes',
    'v1.2',
  ])('may be odd, since other tools make such pages: %j', (path) => {
    expect(parsePagePath(path)).toBe(path);
  });

  test.each([
    ['', null],
    ['.md', null],
    ['/Home', 'Home'],
    ['Guides/', 'Guides'],
    ['a//b', 'a/b'],
    ['../secret', null],
    ['a/../b', null],
    ['./Home', 'Home'],
    ['a\0b', 'ab'],
    ['.git/config', null],
    ['x/.GIT/y', null],
    ['.g\u200cit/config', null],
    ['GIT~1/config', null],
    ['.git . ./config', null],
    ['.git::$INDEX_ALLOCATION/config', null],
    ['half \ud800', null],
  ])('is refused with the rule and, if there is one, a repaired path: %j', (input, suggestion) => {
    const error = refusal(parsePagePath, input);
    expect(error.code).toBe('invalid_path');
    expect(error.data.rule).toBeTypeOf('string');
    expect(error.data.suggestion ?? null).toBe(suggestion);
  });

  test('is refused in full words', () => {
    expect(refusal(parsePagePath, '/Home').message).toBe(
      'invalid_path: "/Home" cannot be a page path: it begins or ends with a slash, or has two in a row. ' +
        'Nothing was read or changed. Try "Home".',
    );
  });
});

describe('a path to create', () => {
  test.each([
    'C# & 100% 🎉',
    'x'.repeat(200),
    '家族👨‍👩‍👧/🎉',
    'می‌خواهم',
    'v1.2',
    'git',
    '1️⃣ ❤️ 🏳️‍🌈',
    '葛\u{e0100}城',
  ])('may be in any language: %j', (path) => {
    expect(parseNewPagePath(path)).toBe(path.normalize('NFC'));
  });

  test.each([
    ['a\\b', 'a/b'],
    ['C:\\Users\\x', 'Users/x'],
    ['C:/x', 'x'],
    ['tab\there', 'tabhere'],
    ['line\u2028end', 'lineend'],
    ['ends. ', 'ends'],
    ['dots../x', 'dots/x'],
    [' x', 'x'],
    ['.git', null],
    ['a/.Git', null],
    ['.gitmodules/x', null],
    ['nul', null],
    ['Aux.notes/x', null],
    ['COM1', null],
    ['字'.repeat(90), null],
    [`${'a/'.repeat(300)}b`, null],
    ['.github/x', 'github/x'],
    ['a/.hidden', 'a/hidden'],
    ['What?', 'What'],
    ['a*b', 'a-b'],
    ['a|b', 'a-b'],
    ['<FAQ>: "A"', 'FAQ - A'],
    ['FAQ: A', 'FAQ - A'],
    ['???', null],
    ['zero\u200bwidth', 'zerowidth'],
    ['invoice\u202efdp', 'invoicefdp'],
    ['Ho\u200dme', 'Home'],
    ['soft\u00adhyphen', 'softhyphen'],
    ['Home\ufe0f', 'Home'],
    ['flag\u{e0067}\u{e007f}', 'flag'],
    ['filler\u3164', 'filler'],
    ['braille\u2800blank', 'brailleblank'],
    ['Home\u2800', 'Home'],
    ['null\u{1d159}note', 'nullnote'],
    ['half\u{13442}blank', 'halfblank'],
    ['khitan\u{16fe4}filler', 'khitanfiller'],
    ['.W*?\u200b. ', 'W'],
  ])('is refused if some platform cannot store it: %j', (input, suggestion) => {
    const error = refusal(parseNewPagePath, input);
    expect(error.code).toBe('invalid_path');
    expect(error.data.suggestion ?? null).toBe(suggestion);
  });

  test('is stable: an accepted or suggested path is accepted again unchanged', () => {
    const part = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom('.', '..', '.git', 'C:', 'con', 'a.md', ' ', '\\', 'e\u0301'),
    );
    const wild = fc.array(part, { maxLength: 5 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(wild, (input) => {
        let path: string;
        try {
          path = parseNewPagePath(input);
        } catch (error) {
          if (!(error instanceof WikiError) || error.code !== 'invalid_path') throw error;
          if (error.data.suggestion === undefined) return;
          path = error.data.suggestion as string;
        }
        expect(path).toBe(path.normalize('NFC'));
        expect(pagePathOf(treePathOf(path))).toBe(path);
        for (const each of path.split('/')) expect(['', '.', '..', '.git']).not.toContain(each.toLowerCase());
        if (!/\.md$/i.test(path)) expect(parseNewPagePath(path)).toBe(path);
      }),
      { numRuns: 2_000 },
    );
  });
});

test('only files with a name before .md are pages', () => {
  expect(pagePathOf('a/b.md')).toBe('a/b');
  expect(pagePathOf('image.png')).toBeNull();
  expect(pagePathOf('a/.md')).toBeNull();
  expect(pagePathOf('.md')).toBeNull();
});

describe('a path has other forms', () => {
  test('if any text becomes it in NFC', () => {
    const missed: string[] = [];
    for (let point = 0; point <= 0x10ffff; point += 1) {
      const text = String.fromCodePoint(point);
      const composed = text.normalize('NFC');
      if (composed !== text && !hasOtherForms(`a/${composed}`)) missed.push(text);
    }
    expect(missed).toEqual([]);
    expect(hasOtherForms('\u00e9')).toBe(true);
  });

  test('not if it is ASCII without `K`, `;` and a backtick, which saves a search', () => {
    expect(['Guides/Getting Started.md', 'a-b_1 (2)', '~!@#$%&()[]{}+=,. ^'].filter(hasOtherForms)).toEqual(
      [],
    );
  });
});
