import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WikiError } from '../contract/errors.ts';
import { findSamePath, pagePathOf, parseNewPagePath, parsePagePath, treePathOf } from './page-path.ts';

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
  ])('is refused with the rule and, where there is one, a repaired path: %j', (input, suggestion) => {
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
    'What is this?',
    'C# & 100% 🎉',
    'x'.repeat(200),
    '家族👨‍👩‍👧/🎉',
    'می‌خواهم',
    'FAQ: A',
    'v1.2',
    'git',
    '.github/x',
  ])('may be in any language: %j', (path) => {
    expect(parseNewPagePath(path)).toBe(path.normalize('NFC'));
  });

  test.each([
    ['a\\b', 'a/b'],
    ['C:\\Users\\x', null],
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
  ])('is refused where some platform could not hold it: %j', (input, suggestion) => {
    const error = refusal(parseNewPagePath, input);
    expect(error.code).toBe('invalid_path');
    expect(error.data.suggestion ?? null).toBe(suggestion);
  });

  test('is settled: what is accepted, or suggested, is accepted again and stays as it is', () => {
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

test('only files that end in .md and have a name are pages', () => {
  expect(pagePathOf('a/b.md')).toBe('a/b');
  expect(pagePathOf('image.png')).toBeNull();
  expect(pagePathOf('a/.md')).toBeNull();
  expect(pagePathOf('.md')).toBeNull();
});

test('a page is found under its exact name first, then under another Unicode form', () => {
  expect(findSamePath('Caf\u00e9', ['x', 'Cafe\u0301'])).toBe('Cafe\u0301');
  expect(findSamePath('Caf\u00e9', ['Cafe\u0301', 'Caf\u00e9'])).toBe('Caf\u00e9');
  expect(findSamePath('cafe', ['Cafe'])).toBeNull();
});
