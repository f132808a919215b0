import { compareText } from '../../core/text/text-order.ts';
import type { Steps } from '../../scheduling/in-turns.ts';
import { compoundsWith } from './compounds.ts';
import type { QueryLanguage } from './languages/query-language.ts';
import type { Stemmer } from './languages/stemmers.ts';
import { isStopWord } from './languages/stop-words.ts';
import { type Effort, similarWords } from './spelling.ts';
import { isDenseTerm } from './terms.ts';
import type { Occurrence, WordMatcher } from './word-matcher.ts';
import type { Clause } from './words-query.ts';

/** One thing that a query asks for, with the pages that contain any variant of it. */
export interface Concept {
  /** Its variants: the word itself, its other forms, or its other spellings. */
  clauses: Clause[];
  pages: ReadonlyMap<number, Found>;
}

interface Found extends Occurrence {
  /** True if the page contains the word itself or another spelling of it, not only another form. */
  isExact: boolean;
}

export interface Wanted {
  parts: Part[];
  /** True if the query is a list of content words, and not a sentence. */
  isKeywords: boolean;
}

export interface Part {
  clause: Clause;
  /** Its weight compared to the others. */
  weight: number;
  /** A stop word only adds to the score of pages that contain another word of the query. */
  isStopWord: boolean;
}

/**
 * The parts of a query. Leaves out stop words of its language, unless there is nothing else or they are in
 * quotation marks. A query of few words is a list of words: its stop words come last and count a little.
 */
export function wantedParts(clauses: readonly Clause[], language: string | null): Wanted {
  const parts = partsOf(clauses, language);
  const content = parts.filter(({ isStopWord }) => !isStopWord);
  if (content.length === 0) {
    const wanted = parts.map((part) => ({ ...part, isStopWord: false }));
    return { parts: wanted.slice(0, MAX_CONCEPTS), isKeywords: false };
  }
  const isShort = clauses.length <= MAX_SHORT;
  const stopWords = isShort ? parts.filter(({ isStopWord }) => isStopWord) : [];
  return {
    parts: [...content, ...stopWords].slice(0, MAX_CONCEPTS),
    isKeywords: isShort || content.length === parts.length,
  };
}

/** A query of at most so many words is rarely a sentence. */
const MAX_SHORT = 3;

/** Each concept reads all pages that contain it. */
const MAX_CONCEPTS = 64;

/** Limits for the search of all concepts of a query. Words of usual wikis never reach them. */
export function effortOfSearch(): { forms: Effort; compounds: Effort; spellings: Effort } {
  return {
    forms: { left: MAX_WORDS_COMPARED },
    compounds: { left: MAX_WORDS_COMPARED },
    spellings: { left: MAX_LOOKUPS },
  };
}

/** Takes at most a second. Three letters begin some thousands of words in a large wiki. */
const MAX_WORDS_COMPARED = 100_000;
/** Takes a quarter of a second. In a usual wiki a word needs some hundred look-ups. */
const MAX_LOOKUPS = 50_000;

/**
 * If no page contains a word or a form of it, German compounds with it replace it; if there are none, words one letter away
 * and their forms.
 */
export function* conceptSteps(
  { clause, isStopWord }: Part,
  { stemmers, germanStemmer }: QueryLanguage,
  matcher: WordMatcher,
  effort: ReturnType<typeof effortOfSearch>,
): Steps<Concept> {
  if (isStopWord) return yield* collect([clause], [], matcher);
  const forms = yield* formSteps([clause], stemmers, matcher, effort.forms);
  const found = yield* collect([clause], forms, matcher);
  if (found.pages.size > 0) return found;
  const compounds = yield* compoundSteps(clause, germanStemmer, matcher, effort.compounds);
  if (compounds.length > 0) return yield* collect([clause], compounds, matcher);
  const spellings = yield* spellingSteps(clause, matcher, effort.spellings);
  const formsOfSpellings = yield* formSteps(spellings, stemmers, matcher, effort.forms);
  return yield* collect([clause, ...spellings], formsOfSpellings, matcher);
}

/**
 * Each word by itself; for joined words (`TCP/IP`), also both side by side. The pairs of a run without spaces
 * overlap, so each weighs less the more there are. Korean has spaces: such a run is a word, and a page with
 * the whole word is better than one with its pairs apart.
 */
function partsOf(clauses: readonly Clause[], language: string | null): Part[] {
  const parts = new Map<string, Part>();
  const add = (clause: Clause, weight: number) => {
    const key = keyOf(clause);
    parts.set(key, {
      clause,
      weight: Math.max(weight, parts.get(key)?.weight ?? 0),
      isStopWord: saysNothing(clause, language),
    });
  };
  for (const { terms, prefix, quoted } of clauses) {
    const words = terms.map((term, at) => ({
      terms: [term],
      prefix: prefix && at === terms.length - 1,
      quoted,
    }));
    const pairs = terms.filter(isDenseTerm).length;
    const isJoined = pairs === 0 || language === 'ko';
    // The beginning of a word cannot be part of a phrase, so it is added separately.
    const phrase = terms.slice(0, prefix ? -1 : undefined).slice(0, MAX_PHRASE);
    if ((quoted || isJoined) && phrase.length > 1) {
      add({ terms: phrase, prefix: false, quoted }, quoted || pairs === 0 ? 1 : KOREAN_WORD_WEIGHT);
    }
    for (const word of words) {
      if (!quoted || terms.length === 1 || word.prefix || phrase.length === 1)
        add(word, wordWeight(word, pairs));
    }
  }
  return [...parts.values()];
}

function wordWeight({ terms: [term = ''], quoted }: Clause, pairs: number): number {
  return isDenseTerm(term) && !quoted ? 1 / Math.sqrt(pairs) : 1;
}

/** Weight besides its pairs. */
const KOREAN_WORD_WEIGHT = 0.5;

/** A phrase is searched by its first terms: each of them takes time on every page that has them all. */
const MAX_PHRASE = 16;

function keyOf({ terms, prefix }: Clause): string {
  return `${terms.join(' ')}${prefix ? '*' : ''}`;
}

function saysNothing({ terms, prefix, quoted }: Clause, language: string | null): boolean {
  const [term = '', ...more] = terms;
  if (quoted || more.length > 0) return false;
  if (isDenseTerm(term)) return prefix && term.length === 1;
  return !prefix && language !== null && isStopWord(language, term);
}

/** Other forms of words, by the stemmers of all languages that the words may be in. */
function* formSteps(
  clauses: readonly Clause[],
  stemmers: readonly Stemmer[],
  matcher: WordMatcher,
  effort: Effort,
): Steps<Clause[]> {
  const known = new Set(clauses.map(keyOf));
  const forms: Clause[] = [];
  for (const clause of clauses) {
    for (const stem of stemmers) {
      for (const word of yield* wordsWithStem(clause, stem, matcher, effort)) {
        if (forms.length === MAX_FORMS) return forms;
        if (!known.has(word)) forms.push({ ...clause, terms: [word] });
        known.add(word);
      }
    }
  }
  return forms;
}

function* wordsWithStem(
  { terms: [term = '', ...more], quoted, prefix }: Clause,
  stem: Stemmer,
  matcher: WordMatcher,
  effort: Effort,
): Steps<string[]> {
  if (quoted || prefix || more.length > 0 || !hasForms.test(term)) return [];
  const wanted = stem(term);
  // Forms differ at the end, and in a letter or two of the stem before it.
  const beginning = term.slice(0, Math.max(LEAST_BEGINNING, Math.min(wanted.length, term.length) - 2));
  const found: string[] = [];
  for (let from = beginning; effort.left > 0; ) {
    const words = matcher.wordsFrom(from, WORDS_AT_ONCE);
    for (const word of words) {
      effort.left -= 1;
      if (!word.startsWith(beginning) || effort.left < 0 || found.length === MAX_FORMS) return found;
      if (word !== term && stem(word) === wanted) found.push(word);
    }
    if (words.length < WORDS_AT_ONCE) return found;
    from = `${words.at(-1)}\0`;
    yield;
  }
  return found;
}

/** A word of letters, long enough to have an ending. */
const hasForms = /^[\p{L}\p{M}]{3,64}$/u;
const LEAST_BEGINNING = 3;
/** Takes some milliseconds. */
const WORDS_AT_ONCE = 300;
/** Words of some languages have this many; a page of made-up endings has more. */
const MAX_FORMS = 100;
/** Another form of the requested word counts half. */
const FORM_WEIGHT = 0.5;

function* compoundSteps(
  clause: Clause,
  stem: Stemmer | null,
  matcher: WordMatcher,
  effort: Effort,
): Steps<Clause[]> {
  const [term = '', ...more] = clause.terms;
  if (stem === null || more.length > 0 || clause.quoted || clause.prefix) return [];
  const words = yield* compoundsWith(term, stem, matcher, effort);
  return words.map((word) => ({ ...clause, terms: [word] }));
}

/**
 * Other spellings, those on the most pages first, then by their text. There are none for words in quotation
 * marks and for beginnings of words.
 */
function* spellingSteps(
  { terms: [term, ...more], quoted, prefix }: Clause,
  matcher: WordMatcher,
  effort: Effort,
): Steps<Clause[]> {
  if (term === undefined || more.length > 0 || quoted || prefix || !spelled.test(term)) return [];
  const similar = yield* similarWords(term, (word) => matcher.wordsFrom(word, 1)[0], effort);
  const spellings: { word: string; pages: number }[] = [];
  for (const word of similar) {
    const pages = matcher.pagesWith(word);
    if (pages > 0) spellings.push({ word, pages });
    yield;
  }
  return spellings
    .sort((a, b) => b.pages - a.pages || compareText(a.word, b.word))
    .slice(0, MAX_SPELLINGS)
    .map(({ word }) => ({ terms: [word], prefix, quoted }));
}

const MAX_SPELLINGS = 8;
/**
 * Long enough to be a misspelt word rather than simply another one, and in a script whose words are terms.
 */
const spelled = /^[\p{L}\p{N}\p{M}]{4,64}$/u;

function* collect(exact: readonly Clause[], forms: readonly Clause[], matcher: WordMatcher): Steps<Concept> {
  const pages = new Map<number, Found>();
  for (const [at, clause] of [...exact, ...forms].entries()) {
    const isExact = at < exact.length;
    for (const occurrence of yield* matcher.occurrences(clause)) {
      const counts = isExact ? occurrence.counts : occurrence.counts.map((count) => count * FORM_WEIGHT);
      const before = pages.get(occurrence.page);
      const sum = before === undefined ? counts : counts.map((count, at) => count + (before.counts[at] ?? 0));
      pages.set(occurrence.page, { ...occurrence, counts: sum, isExact: before?.isExact ?? isExact });
    }
    yield;
  }
  return { clauses: [...exact, ...forms], pages };
}
