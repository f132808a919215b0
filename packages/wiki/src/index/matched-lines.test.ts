import { expect, test } from 'vitest';
import { matchedLines, wordsTest } from './matched-lines.ts';
import { parseWordsQuery } from './words-query.ts';

function linesFor(text: string, query: string, contextLines = 0) {
  return matchedLines(text, wordsTest(parseWordsQuery(query)), contextLines);
}

test('the lines with most of the words are shown, in the order of the page', () => {
  const text = ['alpha', 'nothing', 'alpha beta', ...Array.from({ length: 9 }, () => 'beta')].join('\n');
  expect(linesFor(text, 'alpha beta').map(({ line }) => line)).toEqual([1, 3, 4, 5, 6]);
});

test('context lines come once, and not from beyond the page', () => {
  expect(linesFor('match\r\nb\r\nmatch\r\nd\r\ne', 'match', 1).map(({ line }) => line)).toEqual([1, 2, 3, 4]);
});

test('an endless line is cut around what was found', () => {
  const text = `${'x '.repeat(5_000)}needle ${'y '.repeat(5_000)}`;
  const [shown] = linesFor(text, 'needle');
  expect(shown?.text).toContain('needle');
  expect(shown?.text.length).toBeLessThan(310);
});

test('words are found in scripts without spaces, and whatever their accents', () => {
  expect(linesFor('全文検索はどう動くか', '検索')).toHaveLength(1);
  expect(linesFor('Un café', 'CAFE')).toHaveLength(1);
});
