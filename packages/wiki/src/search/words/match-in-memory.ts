import type { Oid } from '../../contract/ids.ts';
import { compareText } from '../../core/text/text-order.ts';
import { standsAt } from './matched-lines.ts';
import { nameRank } from './page-names.ts';
import { canBeMisspelt } from './spelling.ts';
import type { PageWords } from './terms-of-page.ts';
import { COLUMNS, type LanguageSize, type Occurrence, type WordMatcher } from './word-matcher.ts';

export interface WordedPage {
  path: string;
  version: Oid;
  title: string;
  aliases: readonly string[];
  language: string | null;
  columns: PageWords;
}

/** Finds words by scanning all pages. `admits` decides which pages may be found. */
export function scanWords(
  pages: readonly WordedPage[],
  prefix: string,
  admits: (path: string) => boolean,
): WordMatcher {
  let words: string[] | undefined;
  return {
    *occurrences(clause) {
      const found: Occurrence[] = [];
      for (const [page, { path, language, columns }] of pages.entries()) {
        yield;
        const counts = COLUMNS.map(
          (column) => columns[column].filter((_, at) => standsAt(columns[column], at, clause)).length,
        );
        if (counts.every((count) => count === 0)) continue;
        const length = columns.body.length;
        const isPhrase = clause.terms.length > 1;
        const given = isPhrase ? counts.map((count) => Math.min(count, 1)) : counts;
        found.push({ page, language, length, counts: given, isAdmitted: admits(path) });
      }
      return found;
    },

    languages() {
      const sizes = new Map<string | null, LanguageSize>();
      for (const { language, columns } of pages) {
        const { pages, terms } = sizes.get(language) ?? { pages: 0, terms: 0 };
        sizes.set(language, { language, pages: pages + 1, terms: terms + columns.body.length });
      }
      return [...sizes.values()];
    },

    *ranksByName(name) {
      const ranks = new Map<number, number>();
      for (const [at, page] of pages.entries()) {
        yield;
        const rank = nameRank({ ...page, titleTerms: page.columns.title.join(' ') }, name);
        if (rank > 0) ranks.set(at, rank);
      }
      return ranks;
    },

    *pagesAt(versions) {
      const byVersion = Map.groupBy([...pages.keys()], (page) => pages[page]?.version);
      yield;
      return versions.flatMap((version) => {
        const found = byVersion.get(version)?.filter((page) => admits(pages[page]?.path ?? '')) ?? [];
        return found.length === 0 ? [] : [found];
      });
    },

    pathOf: (page) => pages[page]?.path ?? '',

    *firstPaths(wanted, most) {
      const paths = wanted.map((page) => pages[page]?.path ?? '').sort(compareText);
      yield;
      return paths.slice(0, most);
    },

    wordsFrom(word, most) {
      words ??= wordsOf(pages);
      const first = placeOf(words, word);
      return words.slice(first, first + most);
    },

    pagesWith: (word) =>
      pages.filter(
        ({ path, columns }) =>
          path.startsWith(prefix) && COLUMNS.some((column) => columns[column].includes(word)),
      ).length,
  };
}

function wordsOf(pages: readonly WordedPage[]): string[] {
  const words = new Set<string>();
  for (const { columns } of pages) {
    for (const term of Object.values(columns).flat()) if (canBeMisspelt(term)) words.add(term);
  }
  return [...words].sort(compareText);
}

/** The number of words in the sorted list that come before `word`. */
function placeOf(words: readonly string[], word: string): number {
  let [least, most] = [0, words.length];
  while (least < most) {
    const middle = (least + most) >> 1;
    if (compareText(words[middle] ?? '', word) < 0) least = middle + 1;
    else most = middle;
  }
  return least;
}
