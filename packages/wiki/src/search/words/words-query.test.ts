import { expect, test } from 'vitest';
import { looseClauses, parseWordsQuery } from './words-query.ts';

const word = { prefix: false, quoted: false };

test('each word is a clause, and so is a phrase in quotation marks', () => {
  expect(parseWordsQuery('git "commit graph" Über')).toEqual([
    { ...word, terms: ['git'] },
    { ...word, terms: ['commit', 'graph'], quoted: true },
    { ...word, terms: ['uber'] },
  ]);
});

test('a star finds words that begin with the letters before it', () => {
  expect(parseWordsQuery('temp*')).toEqual([{ ...word, terms: ['temp'], prefix: true }]);
});

test('a run without spaces also matches a page where it continues', () => {
  expect(parseWordsQuery('使用模板')).toEqual([{ ...word, terms: ['使用', '用模', '模板'] }]);
  expect(parseWordsQuery('板')).toEqual([{ ...word, terms: ['板'], prefix: true }]);
});

test('punctuation alone is an empty query', () => {
  expect(parseWordsQuery('*** " -- "')).toEqual([]);
});

test('phrases are kept whole when words are looked for one by one, and each part counts once', () => {
  expect(looseClauses(parseWordsQuery('foo-bar foo "foo bar"'))).toEqual([
    { ...word, terms: ['foo'] },
    { ...word, terms: ['bar'] },
    { ...word, terms: ['foo', 'bar'], quoted: true },
  ]);
});

test('the end of a word that goes on is kept, and differs from the word', () => {
  expect(looseClauses(parseWordsQuery('foo-bar* bar bar*'))).toEqual([
    { ...word, terms: ['foo'] },
    { ...word, terms: ['bar'], prefix: true },
    { ...word, terms: ['bar'] },
  ]);
  expect(looseClauses(parseWordsQuery('"a b" ab')).map(({ terms }) => terms)).toEqual([['a', 'b'], ['ab']]);
});

test('a query has a limited number of clauses, and a clause of terms', () => {
  const words = Array.from({ length: 100 }, (_, at) => `w${at}`);
  expect(parseWordsQuery(words.join(' ')).map(({ terms }) => terms)).toEqual(
    words.slice(0, 32).map((one) => [one]),
  );
  expect(parseWordsQuery(`"${words.join(' ')}"`)).toEqual([
    { prefix: false, quoted: true, terms: words.slice(0, 64) },
  ]);
});
