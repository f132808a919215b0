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
