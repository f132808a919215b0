import { expect, test } from 'vitest';
import { termsOf } from '../terms.ts';
import { languageOfPage, mostStopWords } from './language-of.ts';

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
