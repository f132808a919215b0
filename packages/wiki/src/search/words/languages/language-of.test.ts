import fc from 'fast-check';
import { expect, test } from 'vitest';
import { termsOf } from '../terms.ts';
import { languageOfLetters, languageOfPage, mostStopWords } from './language-of.ts';
import { isStopWord, LISTED_LANGUAGES } from './stop-words.ts';

test.each([
  ['en', 'The pages of this wiki are written by everyone who has something to say about it.'],
  ['de', 'Die Seiten dieses Wikis werden von allen geschrieben, die etwas zu sagen haben.'],
  ['es', 'Las páginas de este wiki las escriben todos los que tienen algo que decir sobre ello.'],
  ['fr', 'Les pages de ce wiki sont écrites par tous ceux qui ont quelque chose à en dire.'],
  ['pt', 'As páginas deste wiki são escritas por todos os que têm algo a dizer sobre isso.'],
  ['ru', 'Страницы этой вики пишут все, кому есть что сказать. See also install.'],
  ['uk', 'Сторінки цієї вікі пишуть усі, кому є що сказати.'],
  ['ja', 'このウィキのページは誰でも書くことができます。 const page = await read();'],
  ['zh', '這個維基的頁面由所有人撰寫。 const page = await read();'],
  ['ko', '이 위키의 페이지는 누구나 쓸 수 있습니다.'],
  [null, 'npm install pagetree'],
])('a page is in %s by its own words', (language, text) => {
  expect(languageOfPage(text, termsOf(text), {})).toBe(language);
});

test('frontmatter says the language of a page, in any of its usual forms', () => {
  expect(languageOfPage('The page of this wiki', ['the', 'of', 'this'], { lang: 'de-AT' })).toBe('de');
  expect(languageOfPage('', [], { language: 'PT_br' })).toBe('pt');
  expect(languageOfPage('', [], { lang: 'TypeScript and more' })).toBe(null);
});

test('the language with the most stop words, if it is one of the candidates', () => {
  expect(mostStopWords(termsOf('wo ist deploy'))).toEqual({ language: 'de', count: 2 });
  expect(mostStopWords(termsOf('what is the war'))).toEqual({ language: 'en', count: 3 });
  expect(mostStopWords(termsOf('what war'))).toBe(null);
  expect(mostStopWords(termsOf('what war'), (language) => language === 'de')).toEqual({
    language: 'de',
    count: 1,
  });
  expect(mostStopWords(termsOf('deploy netlify'))).toBe(null);
});

test.each([
  ['ar', 'هذه صفحة من صفحات الويكي.'],
  ['he', 'זה דף של הוויקי.'],
  ['el', 'Αυτή είναι μια σελίδα.'],
  ['th', 'นี่คือหน้าของวิกิ'],
  ['hi', 'यह विकि का एक पृष्ठ है।'],
  [null, 'Սա վիքիի էջ է։'],
  ['zh', '漢漢漢漢漢漢漢漢漢か'],
  ['ja', '漢漢漢漢漢漢漢漢かか'],
  ['ru', 'дададададакк漢かか'],
  ['uk', 'дадададададададададададададададададададададаїї'],
  ['zh', '漢漢漢漢漢漢漢漢漢ї'],
  ['zh', `漢${'字'.repeat(98)}か`],
  ['zh', `${'漢'.repeat(500)}${'か'.repeat(600)}`],
  ['zh', '漢한'],
])('a text is in %s by its letters: %s', (language, text) => {
  expect(languageOfLetters(text)).toBe(language);
  expect(languageOfPage(text, [], {})).toBe(language);
});

test('a page in Latin script may quote letters of another one', () => {
  expect(languageOfPage(`${'x'.repeat(95)}дадад`, [], {})).toBe('ru');
  expect(languageOfPage(`${'x'.repeat(96)}дада`, [], {})).toBe(null);
  expect(languageOfLetters(`${'x'.repeat(96)}дада`)).toBe('ru');
});

test('the beginning of a page decides its language', () => {
  expect(languageOfPage(`${'x '.repeat(2_000)}${'да '.repeat(2_000)}`, [], {})).toBe(null);
  const terms = [...Array(997).fill('page'), 'the', 'and', 'which', ...Array(100).fill('und')];
  expect(languageOfPage('', terms, {})).toBe('en');
});

test('a code alone says the language, and what is no text says none', () => {
  expect(languageOfPage('', [], { lang: 'de' })).toBe('de');
  expect(languageOfPage('', [], { lang: ['de'], language: ['de'] })).toBe(null);
});

test('without a candidate or a stop word there is no language with the most', () => {
  expect(mostStopWords(['the'], () => false)).toBe(null);
  expect(mostStopWords(['lantern'], (language) => language === 'en')).toBe(null);
});

test('a page is in the language of its stop words if it has enough of its own', () => {
  const words = ['the', 'und', 'los', 'os', 'como', 'dans', 'lantern'];
  const counts = fc.tuple(...words.map(() => fc.oneof(fc.constant(0), fc.nat(13))));
  fc.assert(
    fc.property(counts, (counts) => {
      const terms = words.flatMap((word, at) => Array<string>(counts[at] ?? 0).fill(word));
      const countOf = (language: string) => terms.filter((term) => isStopWord(language, term)).length;
      const [first = '', second = ''] = LISTED_LANGUAGES.toSorted((a, b) => countOf(b) - countOf(a));
      const own = terms.filter((term) => isStopWord(first, term) && !isStopWord(second, term)).length;
      const others = terms.filter((term) => isStopWord(second, term) && !isStopWord(first, term)).length;
      const isClear = countOf(first) >= 3 && own > others && own * 10 >= others * 13;
      expect(languageOfPage('', terms, {})).toBe(isClear ? first : null);
    }),
    {
      numRuns: 3_000,
      examples: [[[13, 10, 0, 0, 0, 0, 0]], [[12, 10, 0, 0, 0, 0, 0]]],
    },
  );
});
