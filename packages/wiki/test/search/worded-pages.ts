import { scanWords, type WordedPage } from '../../src/search/words/match-in-memory.ts';
import type { WordMatcher } from '../../src/search/words/word-matcher.ts';

/** A search over pages whose text is these words. They have nothing else unless it is given. */
export function pagesOfWords(
  pages: readonly (Partial<Omit<WordedPage, 'columns'>> & { words: string[] })[],
  prefix = '',
): WordMatcher {
  const worded = pages.map(({ words, ...given }, at) => {
    const columns = { title: [], headings: [], path: [], lead: [], body: words };
    return { path: `${at}`, version: '', title: '', aliases: [], language: null, ...given, columns };
  });
  return scanWords(worded, prefix, () => true);
}

/** So many different words that begin alike, in order. */
export function numberedWords(beginning: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const digits = `${1_000 + at}`;
    return beginning + digits.replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '');
  });
}
