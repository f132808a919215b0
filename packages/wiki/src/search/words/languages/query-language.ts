import type { Steps } from '../../../scheduling/in-turns.ts';
import type { LanguageSize, WordMatcher } from '../word-matcher.ts';
import type { WordsQuery } from '../words-query.ts';
import { mostStopWords } from './language-of.ts';
import type { Stemmer } from './stemmers.ts';
import { isStopWord, LISTED_LANGUAGES } from './stop-words.ts';

export interface QueryLanguage {
  /** The language whose stop words are left out, and whose pages are preferred; null if it is uncertain. */
  language: string | null;
  /** The stemmers for this language, or for all languages in which the query may be. */
  stemmers: readonly Stemmer[];
  /** The German stemmer, if words may be German: only German joins words to longer ones. */
  germanStemmer: Stemmer | null;
}

/**
 * The language of a query, among those that the wiki speaks: many words are stop words of some language (war, man, dos,
 * sin). If it is uncertain, forms are those of the languages of the wiki, or of all languages if these are unknown.
 */
export function* queryLanguageSteps(
  matcher: WordMatcher,
  { letters, terms, stemmers }: WordsQuery,
): Steps<QueryLanguage> {
  if (letters !== null) {
    return { language: letters, stemmers: stemmers.map(({ stem }) => stem), germanStemmer: null };
  }
  const sizes = matcher.languages();
  const isUnknown = sizes.every(({ language }) => language === null);
  const isSpoken = (language: string) => isUnknown || isSpokenIn(sizes, language);
  const most = mostStopWords(terms, isSpoken);
  let language: string | null = null;
  if (most !== null && most.count > 1) language = most.language;
  else if (most !== null && !isUnknown) language = yield* likeliest(matcher, terms, most.language, sizes);
  const evident = mostStopWords(terms);
  const mayBe = (each: string) =>
    isSpoken(each) ||
    (evident?.language === each && evident.count > 1 && sizes.some(({ language }) => language === each));
  const wanted = stemmers.filter((each) =>
    language === null ? mayBe(each.language) : each.language === language,
  );
  const german = isSpokenIn(sizes, 'de') ? wanted.find((each) => each.language === 'de') : undefined;
  return { language, stemmers: wanted.map(({ stem }) => stem), germanStemmer: german?.stem ?? null };
}

/** True if at least one page in fifty is in the language. */
export function isSpokenIn(sizes: readonly LanguageSize[], language: string | null): boolean {
  const pages = sizes.find((each) => each.language === language)?.pages ?? 0;
  return pages > 0 && pages >= LEAST_SPOKEN_SHARE * sizes.reduce((sum, each) => sum + each.pages, 0);
}

const LEAST_SPOKEN_SHARE = 0.02;

/**
 * The language of the wiki that explains the words of a query best; `language` is the one of its only stop word. `war` is
 * on most German pages, but `world` and `history` are on English ones.
 */
function* likeliest(
  matcher: WordMatcher,
  terms: readonly string[],
  language: string,
  sizes: readonly LanguageSize[],
): Steps<string> {
  const spoken = LISTED_LANGUAGES.filter((each) => isSpokenIn(sizes, each));
  if (spoken.every((each) => each === language)) return language;
  const likelihood = new Map<string, number>(spoken.map((each) => [each, 0]));
  // The stop word first: it is the reason for the language.
  const sorted = [...terms].sort((a, b) => Number(isStopWord(language, b)) - Number(isStopWord(language, a)));
  for (const term of sorted.slice(0, MAX_COMPARED)) {
    const counts = new Map<string | null, number>();
    for (const page of yield* matcher.occurrences({ terms: [term], prefix: false, quoted: true })) {
      counts.set(page.language, (counts.get(page.language) ?? 0) + 1);
    }
    for (const each of spoken) {
      const pages = sizes.find((size) => size.language === each)?.pages ?? 0;
      const share = (counts.get(each) ?? 0) / pages;
      likelihood.set(each, (likelihood.get(each) ?? 0) + Math.log(share + UNSEEN_SHARE));
    }
    yield;
  }
  const [[best] = [language]] = [...likelihood].sort(([, a], [, b]) => b - a);
  return best;
}

/** Added to each share, so that a word on no page speaks against no language. */
const UNSEEN_SHARE = 0.02;
/** Each word reads all pages that contain it. */
const MAX_COMPARED = 8;
