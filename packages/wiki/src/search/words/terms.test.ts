import { expect, test } from 'vitest';
import { fold, runsOf, termsOf } from './terms.ts';

test.each([
  ['get_history foo-bar C++', ['get', 'history', 'foo', 'bar', 'c']],
  ['Café Straße ΕΛΛΆΣ йод', ['cafe', 'strasse', 'ελλασ', 'иод']],
  ['Ｆｕｌｌ ｗｉｄｔｈ ﬁne', ['full', 'width', 'fine']],
  ['हिन्दी में', ['हिन्दी', 'में']],
  ['مَكْتَبَة', ['مكتبة']],
  ['done 🎉 now', ['done', '🎉', 'now']],
])('words with spaces between them are folded: %s', (text, terms) => {
  expect(termsOf(text)).toEqual(terms);
});

test.each([
  ['使用Astro构建', ['使用', '用', 'astro', '构建', '建']],
  ['検索する', ['検索', '索す', 'する', 'る']],
  ['안녕하세요 세계', ['안녕', '녕하', '하세', '세요', '요', '세계', '계']],
  ['ｶﾞｲﾄﾞ', ['ガイ', 'イド', 'ド']],
])('a run without spaces becomes overlapping pairs: %s', (text, terms) => {
  expect(termsOf(text)).toEqual(terms);
});

test('a Thai vowel or tone stays with its consonant', () => {
  expect(termsOf('ค้นหา')).toEqual(['ค้น', 'นห', 'หา', 'า']);
});

test('runs say whether they are of a script without spaces', () => {
  expect(runsOf('第 3章')).toEqual([
    { terms: ['第'], dense: true },
    { terms: ['3'], dense: false },
    { terms: ['章'], dense: true },
  ]);
});

test('an endless word is known by its beginning, never cut within a character', () => {
  const [term = ''] = termsOf(`${'a'.repeat(63)}\u{1d4d0}${'b'.repeat(1_000)}`);
  expect(term.length).toBeLessThanOrEqual(64);
  expect(term.isWellFormed()).toBe(true);
});

test('folding a folded word changes nothing', () => {
  for (const text of ['Straße', 'ﬀﬁ', 'İstanbul', 'ΣΊΣΥΦΟΣ', '한글', 'e\u0301']) {
    expect(fold(fold(text))).toBe(fold(text));
  }
});

test('a long text is split between words', () => {
  const words = Array.from({ length: 9_000 }, (_, at) => `w\u00f6rd${at}`);
  expect(termsOf(words.join(' '))).toEqual(words.map((word) => word.replace('\u00f6', 'o')));
  expect(termsOf('\u6f22'.repeat(120_000)).length).toBe(120_000);
});

test('text without an end of a word is split all the same, and a page has a limited number of terms', () => {
  expect(termsOf('a'.repeat(60_000))).toEqual(['a'.repeat(64), 'a'.repeat(64)]);
  expect(termsOf('a '.repeat(1_000_010))).toHaveLength(1_000_000);
});
