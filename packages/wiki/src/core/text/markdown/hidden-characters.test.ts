import { expect, test } from 'vitest';
import {
  hasHiddenCharacter,
  quoted,
  withoutHiddenCharacters,
  withoutIgnorable,
} from './hidden-characters.ts';

test.each([
  ['a\u200bb', 'ab', '"a\\u{200b}b"'],
  ['a\u00ad\u202eb', 'ab', '"a\\u{ad}\\u{202e}b"'],
  ['a\u{e0041}\u2800', 'a', '"a\\u{e0041}\\u{2800}"'],
  ['a\u200db', 'ab', '"a\\u{200d}b"'],
  ['x\ufe0f\ufff9', 'x', '"x\\u{fe0f}\\u{fff9}"'],
  ['\u{16fe4}\u{1d159}', '', '"\\u{16fe4}\\u{1d159}"'],
  ['\u2801\u2800', '\u2801', '"\u2801\\u{2800}"'],
])('what hides in a name is taken out, and shown in a message: %j', (text, visible, shown) => {
  expect(hasHiddenCharacter(text)).toBe(true);
  expect(withoutHiddenCharacters(text)).toBe(visible);
  expect(withoutIgnorable(text)).toBe(visible);
  expect(quoted(text)).toBe(shown);
});

test.each([
  ['plain ä 日本 \ud83c\udf89', null],
  // Persian and Devanagari, where the letters would join otherwise.
  ['\u0645\u06cc\u200c\u062e', '\u0645\u06cc\u062e'],
  ['\u0915\u094d\u200d\u0937', '\u0915\u094d\u0937'],
  ['\u1820\u180b', '\u1820'],
  ['\u845b\u{e0100}', '\u845b'],
  ['\u2764\ufe0f', '\u2764'],
  ['1\ufe0f\u20e3', '1\u20e3'],
  ['\u{1f468}\u200d\u{1f469}\u{1f3fd}\u200d\u{1f467}', '\u{1f468}\u{1f469}\u{1f3fd}\u{1f467}'],
  ['\u2801\u2800\u2802', '\u2801\u2802'],
  ['\u{13000}\u{13441}\u{13001}', '\u{13000}\u{13001}'],
  ['\u{18b00}\u{16fe4}\u{18b01}', '\u{18b00}\u{18b01}'],
])('what a script or an emoji needs stays, except for comparison: %j', (text, compared) => {
  expect(hasHiddenCharacter(text)).toBe(false);
  expect(withoutHiddenCharacters(text)).toBe(text);
  expect(withoutIgnorable(text)).toBe(compared ?? text);
  expect(quoted(text)).toBe(`"${text}"`);
});

test('every script that joins its letters may prevent it', () => {
  const letters =
    '\u0628\u0710\u1820\u07ca\u0915\u0995\u0a15\u0a95\u0b15\u0b95\u0c15\u0c95\u0d15\u0d9a\u1780\u1000\u0f40';
  for (const letter of letters) expect(hasHiddenCharacter(`${letter}\u200c${letter}`), letter).toBe(false);
});

test('a long name is cut between two characters, and quotation marks are escaped', () => {
  expect(quoted('a"b')).toBe('"a\\"b"');
  expect(quoted('abc', 3)).toBe('"abc"');
  expect(quoted('abcd', 3)).toBe('"abc..."');
  expect(quoted('ab🎉d', 3)).toBe('"ab\ufffd..."');
  expect(quoted('x'.repeat(301))).toBe(`"${'x'.repeat(300)}..."`);
});
