import { termsOf } from './words.ts';
import { type Clause, looseClauses, parseWordsQuery } from './words-query.ts';

/** Which pages match: those with one of every group's clauses, or with a clause of any group. */
export interface Match {
  every: boolean;
  groups: readonly (readonly Clause[])[];
}

export interface RankedPage {
  path: string;
  /** By BM25, over the columns as weighed; higher is better. */
  score: number;
}

/** The words of all pages, with a filter on which pages count as found. */
export interface WordMatcher {
  /** How many pages match `match`, but not `except`. */
  count(match: Match, except: Match | null): number;
  /**
   * The same pages, best first: pages whose title is the query, then by score, then by path. `offset` are passed
   * over, at most `limit` come.
   */
  ranked(match: Match, except: Match | null, window: RankedWindow): RankedPage[];
  /**
   * At most `most` words of the pages in the prefix that are one letter away from `term`: those on most of these
   * pages, then by their text.
   */
  similarTerms(term: string, most: number): string[];
}

export interface FoundPages {
  rows: RankedPage[];
  total: number;
  /** What was looked for, other spellings too. */
  clauses: Clause[];
}

export interface RankedWindow {
  /** The terms of the title that makes a page the best answer, with spaces between. */
  title: string;
  offset: number;
  limit: number;
}

/** How much an occurrence of a word weighs, by where it is. */
export const columnWeights = { title: 10, headings: 3, path: 4, body: 1 } as const;

/** From so many pages with all words on, pages with only some of them are no help. */
const enough = 200;
/** Keeps every page with all words above every page with some. */
const allWordsBonus = 100;

/**
 * Pages with all the words, best first; then, where those are few, pages with some of them. Where no page has
 * all of them, words are taken for misspelt by one letter, if that makes words that there are.
 */
export function searchPages(
  matcher: WordMatcher,
  query: string,
  { offset, limit }: { offset: number; limit: number },
): FoundPages {
  const clauses = parseWordsQuery(query);
  if (clauses.length === 0) return { rows: [], total: 0, clauses };
  const title = termsOf(query).join(' ');
  let all: Match = { every: true, groups: clauses.map((clause) => [clause]) };
  let allTotal = matcher.count(all, null);
  if (allTotal === 0) {
    all = { every: true, groups: clauses.map((clause) => withSimilar(clause, matcher)) };
    allTotal = matcher.count(all, null);
  }
  const rows = matcher.ranked(all, null, { title, offset, limit });
  for (const row of rows) row.score += allWordsBonus;
  const looked = all.groups.flat();
  if (allTotal >= enough) return { rows, total: allTotal, clauses: looked };

  const some: Match = {
    every: false,
    groups: looseClauses(clauses).map((clause) => spelling(clause, matcher)),
  };
  const someTotal = matcher.count(some, all);
  if (rows.length < limit && someTotal > 0) {
    const rest = { title, offset: Math.max(0, offset - allTotal), limit: limit - rows.length };
    rows.push(...matcher.ranked(some, all, rest));
  }
  return { rows, total: allTotal + someTotal, clauses: [...looked, ...some.groups.flat()] };
}

/** A clause and its other spellings: of words in quotation marks and of beginnings of words there are none. */
function withSimilar(clause: Clause, matcher: WordMatcher): Clause[] {
  const [term, ...more] = clause.terms;
  if (term === undefined || more.length > 0 || clause.quoted || clause.prefix) return [clause];
  if (!spelled.test(term)) return [clause];
  const others = matcher.similarTerms(term, mostSpellings);
  return [clause, ...others.map((other) => ({ ...clause, terms: [other] }))];
}

/** Other spellings of a clause that no page holds as it is. */
function spelling(clause: Clause, matcher: WordMatcher): Clause[] {
  const isKnown = matcher.count({ every: true, groups: [[clause]] }, null) > 0;
  return isKnown ? [clause] : withSimilar(clause, matcher);
}

const mostSpellings = 8;
/** Long enough to be one word misspelt and not simply another, and of a script whose words are terms. */
const spelled = /^[\p{L}\p{N}\p{M}]{4,64}$/u;
