import type { Oid } from '../../contract/ids.ts';
import type { Steps } from '../../scheduling/in-turns.ts';
import type { WantedName } from './page-names.ts';
import type { Clause } from './words-query.ts';

/** The columns of the index that contain words, in the order of the table. */
export const COLUMNS = ['title', 'headings', 'path', 'lead', 'body'] as const;
export type Column = (typeof COLUMNS)[number];

/** A page that contains a clause. */
export interface Occurrence {
  /** Identifies the page within one search. */
  page: number;
  language: string | null;
  /** The number of terms in its text. */
  length: number;
  /**
   * The number of times that each column contains the clause, in the order of `COLUMNS`. A phrase counts once
   * per column.
   */
  counts: readonly number[];
  /** True if the search may return the page. */
  isAdmitted: boolean;
}

/** The pages of one language. */
export interface LanguageSize {
  language: string | null;
  pages: number;
  /** The total number of terms in their texts. */
  terms: number;
}

/**
 * The words of all pages in the folders to which the search is limited. Pages excluded by a filter count in
 * the statistics; pages elsewhere have no effect. Work that grows with the wiki is done in steps.
 */
export interface WordMatcher {
  /** The pages with a word, the beginning of a word, or a phrase. A phrase contains no beginnings. */
  occurrences(clause: Clause): Steps<Occurrence[]>;
  languages(): LanguageSize[];
  /** The ranks of pages that match a name, by page; other pages are left out. */
  ranksByName(name: WantedName): Steps<Map<number, number>>;
  pathOf(page: number): string;
  /** The first `most` paths of these pages, sorted by code point. */
  firstPaths(pages: readonly number[], most: number): Steps<string[]>;
  /** The pages at these versions that the search may return, in the order of the versions. */
  pagesAt(versions: readonly Oid[]): Steps<number[][]>;
  /** The first `most` words from `word` on, sorted by code point. Some of them may be on no page. */
  wordsFrom(word: string, most: number): string[];
  /** The number of pages in the prefix that contain a word. */
  pagesWith(word: string): number;
}
