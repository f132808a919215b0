import { compareText } from '../../core/text/text-order.ts';
import type { Steps } from '../../scheduling/in-turns.ts';
import type { Stemmer } from './languages/stemmers.ts';
import type { Effort } from './spelling.ts';
import type { WordMatcher } from './word-matcher.ts';

/**
 * The German compounds that begin or end with a word, those on the most pages first. The word may stand in another form at
 * the end: `benutzerverwaltung` for `verwaltungen`. Looks through all words from a to z, as far as the effort allows.
 */
export function* compoundsWith(
  term: string,
  stem: Stemmer,
  matcher: WordMatcher,
  effort: Effort,
): Steps<string[]> {
  if (!isPart.test(term)) return [];
  const end = stem(term);
  const isLast = (word: string) =>
    word.endsWith(term) ||
    (end.length >= LEAST_PART && word.includes(end, LEAST_REST) && stem(word).endsWith(end));
  const isCompound = (word: string) =>
    word.length >= term.length + LEAST_REST && (word.startsWith(term) || isLast(word));
  // Those that begin with the word are quick to find, and so come first.
  const words = yield* wordsBetween(term, `${term}${AFTER_Z}`, isCompound, matcher, effort);
  words.push(...(yield* wordsBetween('a', AFTER_Z, isCompound, matcher, effort)));
  const found: { word: string; pages: number }[] = [];
  for (const word of new Set(words)) {
    const pages = matcher.pagesWith(word);
    if (pages > 0) found.push({ word, pages });
    yield;
  }
  return found
    .sort((a, b) => b.pages - a.pages || compareText(a.word, b.word))
    .slice(0, MAX_COMPOUNDS)
    .map(({ word }) => word);
}

function* wordsBetween(
  first: string,
  last: string,
  isWanted: (word: string) => boolean,
  matcher: WordMatcher,
  effort: Effort,
): Steps<string[]> {
  const found: string[] = [];
  for (let from = first; effort.left > 0; ) {
    const words = matcher.wordsFrom(from, WORDS_AT_ONCE);
    for (const word of words) {
      effort.left -= 1;
      if (word > last || effort.left < 0 || found.length === MAX_CANDIDATES) return found;
      if (isWanted(word)) found.push(word);
    }
    if (words.length < WORDS_AT_ONCE) break;
    from = `${words.at(-1)}\0`;
    yield;
  }
  return found;
}

/** Shorter words are a part of many others by chance. Folded German has no other letters. */
const isPart = /^[a-z]{5,33}$/;
const LEAST_PART = 5;
/** The rest of the compound is a word too, with the letters that join the two (s, n, es, en). */
const LEAST_REST = 3;
/** Sorts after every word of these letters. */
const AFTER_Z = '{';
/** Takes some milliseconds. */
const WORDS_AT_ONCE = 300;
/** Each costs a look-up of its number of pages. */
const MAX_CANDIDATES = 200;
const MAX_COMPOUNDS = 20;
