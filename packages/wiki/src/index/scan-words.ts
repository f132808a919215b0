import { standsAt } from './matched-lines.ts';
import { columnWeights, type Match, type RankedPage, type WordMatcher } from './page-search.ts';
import type { PageWords } from './page-words.ts';
import { canBeMisspelt, isOneLetterAway } from './spelling.ts';
import { compareText } from './text-order.ts';
import type { Clause } from './words-query.ts';

export interface WordedPage {
  path: string;
  columns: PageWords;
}

/**
 * Finds words by going through all pages, with the same BM25 as SQLite's FTS5
 * (https://www.sqlite.org/fts5.html#the_bm25_function). Statistics are over all pages, also those that
 * `admits` keeps from being found; other spellings are of the pages in `prefix` alone.
 */
export function scanWords(
  pages: readonly WordedPage[],
  prefix: string,
  admits: (path: string) => boolean,
): WordMatcher {
  const length = (page: WordedPage) =>
    Object.values(page.columns).reduce((sum, terms) => sum + terms.length, 0);
  const averageLength = pages.reduce((sum, page) => sum + length(page), 0) / pages.length;
  const holds = (page: WordedPage, clause: Clause) => weightedCount(page, clause) > 0;
  const matches = (page: WordedPage, { every, groups }: Match) => {
    const held = (group: readonly Clause[]) => group.some((clause) => holds(page, clause));
    return every ? groups.every(held) : groups.some(held);
  };
  const found = (match: Match, except: Match | null) =>
    pages.filter(
      (page) => admits(page.path) && matches(page, match) && !(except !== null && matches(page, except)),
    );

  return {
    count: (match, except) => found(match, except).length,

    ranked(match, except, { title, offset, limit }) {
      const weights = match.groups.flat().map((clause) => ({ clause, weight: rarity(clause) }));
      const isTitle = (page: WordedPage) => page.columns.title.join(' ') === title;
      const rows = found(match, except).map((page) => ({ page, exact: isTitle(page), score: score(page) }));
      rows.sort(
        (a, b) =>
          Number(b.exact) - Number(a.exact) || b.score - a.score || compareText(a.page.path, b.page.path),
      );
      return rows
        .slice(offset, offset + limit)
        .map(({ page, score }): RankedPage => ({ path: page.path, score }));

      function score(page: WordedPage): number {
        const norm = 1 - b + (b * length(page)) / averageLength;
        return weights.reduce((sum, { clause, weight }) => {
          const count = weightedCount(page, clause);
          return sum + weight * ((count * (k1 + 1)) / (count + k1 * norm));
        }, 0);
      }
    },

    similarTerms(term, most) {
      const pagesWith = new Map<string, number>();
      for (const page of pages.filter(({ path }) => path.startsWith(prefix))) {
        for (const other of new Set(Object.values(page.columns).flat())) {
          if (canBeMisspelt(other) && isOneLetterAway(term, other))
            pagesWith.set(other, (pagesWith.get(other) ?? 0) + 1);
        }
      }
      return [...pagesWith]
        .sort(([a, pagesA], [b, pagesB]) => pagesB - pagesA || compareText(a, b))
        .slice(0, most)
        .map(([other]) => other);
    },
  };

  function rarity(clause: Clause): number {
    const held = pages.filter((page) => holds(page, clause)).length;
    return Math.max(leastRarity, Math.log((pages.length - held + 0.5) / (held + 0.5)));
  }
}

const k1 = 1.2;
const b = 0.75;
const leastRarity = 1e-6;

function weightedCount(page: WordedPage, clause: Clause): number {
  let sum = 0;
  for (const [column, weight] of Object.entries(columnWeights)) {
    const terms = page.columns[column as keyof typeof columnWeights];
    sum += weight * terms.filter((_, at) => standsAt(terms, at, clause)).length;
  }
  return sum;
}
