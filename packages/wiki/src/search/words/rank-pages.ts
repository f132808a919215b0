import type { SearchQuery } from '../../core/index-port.ts';
import { compareText } from '../../core/text/text-order.ts';
import type { Steps } from '../../scheduling/in-turns.ts';
import { type Concept, conceptSteps, effortOfSearch, type Part, wantedParts } from './concepts.ts';
import { fuse } from './fuse.ts';
import { isSpokenIn, queryLanguageSteps } from './languages/query-language.ts';
import { RANK_SCORE } from './page-names.ts';
import { COLUMNS, type Column, type Occurrence, type WordMatcher } from './word-matcher.ts';
import type { Clause, WordsQuery } from './words-query.ts';

export interface RankedPage {
  path: string;
  /** Higher is better. A page whose name is the query has `RANK_SCORE` more for each rank. */
  score: number;
}

export interface FoundPages {
  rows: RankedPage[];
  total: number;
  /** The clauses that were searched, including other forms and spellings. */
  clauses: Clause[];
  /** The same, grouped by the word of the query. */
  words: Clause[][];
}

/**
 * Pages with any word of the query, best first, then by path. Each column has its own BM25, and a page's
 * score is their sum. The rarity of a word is measured among pages in the query's language, and pages in
 * other languages count for less. Pages that mean the same in other words join them, unless the query is a list of words
 * and some page has them all.
 */
export function* rankPages(
  matcher: WordMatcher,
  query: WordsQuery,
  { offset, limit, alike = [] }: Pick<SearchQuery, 'offset' | 'limit' | 'alike'>,
): Steps<FoundPages> {
  const spoken = yield* queryLanguageSteps(matcher, query);
  const { parts, isKeywords } = wantedParts(query.clauses, spoken.language);
  const effort = effortOfSearch();
  const addScores = scorer(matcher, spoken.language);
  const pages = new Map<number, PageScore>();
  const words: Clause[][] = [];
  // One after another: the results of all words would not fit into memory together.
  for (const part of parts) {
    const concept = yield* conceptSteps(part, spoken, matcher, effort);
    yield* addScores(pages, concept, part);
    if (!part.isStopWord) words.push(concept.clauses);
  }
  const wanted = parts.filter(({ isStopWord }) => !isStopWord).length;
  const byWords = new Map<number, number>();
  let hasAllWords = false;
  for (const [page, { score, concepts, exact }] of pages) {
    // A list of words means all of them; a question has words that its answer lacks.
    const isWhole = isKeywords && concepts === wanted;
    const share = exact === wanted ? ALL_WORDS_SHARE : ALL_FORMS_SHARE;
    byWords.set(page, isWhole ? score * share : score);
    hasAllWords ||= isWhole && exact === wanted;
  }
  const scores = hasAllWords || alike.length === 0 ? byWords : fuse(byWords, yield* matcher.pagesAt(alike));
  for (const [page, rank] of yield* matcher.ranksByName(query.name)) {
    const score = scores.get(page);
    if (score !== undefined) scores.set(page, score + RANK_SCORE * rank);
  }
  const best = yield* bestOf(scores, offset + limit, matcher);
  return { rows: best.slice(offset), total: scores.size, clauses: words.flat(), words };
}

/** The score of a page that the search may return, and the number of concepts that it contains. */
interface PageScore {
  score: number;
  concepts: number;
  /** The number of those that it contains as they were asked for. */
  exact: number;
}

/** Adds the scores of one concept to the pages. */
function scorer(matcher: WordMatcher, language: string | null) {
  const { pages: pageCount, averageLength, preferred } = statisticsOf(matcher, language);
  const isPreferred = (occurrence: Occurrence) =>
    preferred === null || occurrence.language === null || occurrence.language === preferred;
  return function* (
    scores: Map<number, PageScore>,
    { pages }: Concept,
    { weight, isStopWord }: Part,
  ): Steps<void> {
    let holding = 0;
    for (const occurrence of pages.values()) if (isPreferred(occurrence)) holding += 1;
    const value = weight * rarityOf(pageCount, holding);
    let place = 0;
    for (const occurrence of pages.values()) {
      place += 1;
      if (place % PAGES_AT_ONCE === 0) yield;
      if (!occurrence.isAdmitted || (isStopWord && !scores.has(occurrence.page))) continue;
      const share = isPreferred(occurrence) ? 1 : OTHER_LANGUAGE_SHARE;
      const sum = scoreOf(scores, occurrence.page);
      sum.score += share * value * bm25(occurrence, averageLength);
      sum.concepts += Number(!isStopWord);
      sum.exact += Number(!isStopWord && occurrence.isExact);
    }
  };
}

function scoreOf(scores: Map<number, PageScore>, page: number): PageScore {
  let score = scores.get(page);
  if (score === undefined) {
    score = { score: 0, concepts: 0, exact: 0 };
    scores.set(page, score);
  }
  return score;
}

/** Takes about a millisecond. */
const PAGES_AT_ONCE = 1_000;

/** The factors for a page that contains all words that are listed, and for one that contains forms of some. */
const ALL_WORDS_SHARE = 3;
const ALL_FORMS_SHARE = 1.5;

/** The factor for a page in another language: as an answer it is better than none. */
const OTHER_LANGUAGE_SHARE = 0.3;

/**
 * The statistics of the pages in a language and of those in none; of all pages if hardly any is in that
 * language. A few pages show nothing about the rarity of a word, and titles in a language do not make a page
 * one in that language: in a Chinese wiki with English titles, two English pages are not the better answers.
 */
function statisticsOf(matcher: WordMatcher, language: string | null) {
  const all = matcher.languages();
  const preferred = isSpokenIn(all, language) ? language : null;
  let pages = 0;
  let terms = 0;
  for (const each of all) {
    if (preferred !== null && each.language !== null && each.language !== preferred) continue;
    pages += each.pages;
    terms += each.terms;
  }
  return { pages, averageLength: Math.max(1, terms / pages), preferred };
}

/** Greater than 0 even for a word that is on every page. */
function rarityOf(pages: number, holding: number): number {
  return Math.log(1 + (pages - holding + 0.5) / (holding + 0.5));
}

/** A long text contains more words by chance alone; titles and the like are not normalised. */
function bm25({ counts, length }: Occurrence, averageLength: number): number {
  let sum = 0;
  for (let at = 0; at < counts.length; at += 1) {
    const count = counts[at] as number;
    if (count === 0) continue;
    const norm = at === BODY ? 1 - B + (B * length) / averageLength : 1;
    sum += ((WEIGHTS[at] as number) * count * (K1 + 1)) / (count + K1 * norm);
  }
  return sum;
}

/** The weight of each column. */
const COLUMN_WEIGHTS: Record<Column, number> = { title: 1, headings: 0.3, path: 0.5, lead: 1, body: 1 };
const WEIGHTS = COLUMNS.map((column) => COLUMN_WEIGHTS[column]);
const BODY = COLUMNS.indexOf('body');
const K1 = 1.5;
const B = 0.75;

/** The first `most` by score, then by path. Looks up only the paths that decide the order. */
function* bestOf(
  scores: ReadonlyMap<number, number>,
  most: number,
  matcher: WordMatcher,
): Steps<RankedPage[]> {
  // Numbers alone are sorted ten times as fast as pairs.
  const least = Float64Array.from(scores.values()).sort().at(-most) ?? Number.NEGATIVE_INFINITY;
  const rows: RankedPage[] = [];
  const tied: number[] = [];
  for (const [page, score] of scores) {
    if (score > least) rows.push({ path: matcher.pathOf(page), score });
    else if (score === least) tied.push(page);
  }
  yield;
  for (const path of yield* matcher.firstPaths(tied, most - rows.length)) rows.push({ path, score: least });
  return rows.sort((a, b) => b.score - a.score || compareText(a.path, b.path));
}
