import { expect, test } from 'vitest';
import { createPacer } from '../pacer.ts';
import { matchedLines, wordsTest } from './matched-lines.ts';
import { parseWordsQuery } from './words-query.ts';

function linesFor(text: string, query: string, contextLines = 0) {
  return matchedLines(text, wordsTest(parseWordsQuery(query)), contextLines, createPacer());
}

test('the lines with most of the words are shown, in the order of the page', async () => {
  const text = ['alpha', 'nothing', 'alpha beta', ...Array.from({ length: 9 }, () => 'beta')].join('\n');
  expect((await linesFor(text, 'alpha beta')).map(({ line }) => line)).toEqual([1, 3, 4, 5, 6]);
});

test('context lines come once, and not from beyond the page', async () => {
  expect((await linesFor('match\r\nb\r\nmatch\r\nd\r\ne', 'match', 1)).map(({ line }) => line)).toEqual([
    1, 2, 3, 4,
  ]);
});

test('an endless line is cut around what was found', async () => {
  const text = `${'x '.repeat(5_000)}needle ${'y '.repeat(5_000)}`;
  const [shown] = await linesFor(text, 'needle');
  expect(shown?.text).toContain('needle');
  expect(shown?.text.length).toBeLessThan(310);
});

test('words are found in scripts without spaces, and with any accents', async () => {
  expect(await linesFor('全文検索はどう動くか', '検索')).toHaveLength(1);
  expect(await linesFor('Un café', 'CAFE')).toHaveLength(1);
});

test('a line of a word so long that its term ends in half a character is shown', async () => {
  const word = `${'a'.repeat(63)}${'\u{10428}'.repeat(9)}`;
  expect(await linesFor(`nothing\n${word}`, word)).toHaveLength(1);
});
