/** The first word of each file of words, and the number of the first page of each file of pages. */
export interface SearchTable {
  words: string[];
  pages: number[];
}

/** A word, and the pages with it: by turns the distance from the page before, and the weight of the word in the page. */
export type WordInPages = [word: string, numbers: number[]];

export interface FoundPage {
  title: string;
  path: string;
  /** From the root of the site. */
  address: string;
  /** The text as a reader sees it, a line for each block. */
  text: string;
}
