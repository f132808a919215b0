import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundPage, SearchTable, WordInPages } from '../../client/search-files.ts';
import { wordsOf } from '../../client/search-words.ts';
import { type Occurrence, WordsOnDisk } from './words-on-disk.ts';

/**
 * Writes the index of a static site: the words in files by their order, the pages in files by their numbers, and a table
 * of these files. So a search loads only the files of its words and of the pages that it shows.
 */
export class SearchIndex {
  readonly #directory: string;
  readonly #words: WordsOnDisk;
  /** The number of words in each page. */
  readonly #lengths: number[] = [];
  readonly #table: SearchTable = { words: [], pages: [] };
  #pages: FoundPage[] = [];
  #pagesLength = 0;

  constructor(directory: string) {
    this.#directory = directory;
    this.#words = new WordsOnDisk(join(directory, 'unsorted'));
  }

  async open(): Promise<void> {
    await mkdir(this.#directory, { recursive: true });
  }

  async add(found: FoundPage): Promise<void> {
    const page = this.#lengths.length;
    const titleWords = wordsOf(`${found.title} ${found.path}`);
    const textWords = wordsOf(found.text);
    this.#lengths.push(titleWords.length + textWords.length);
    const inTitle = countEach(titleWords);
    const inText = countEach(textWords);
    for (const word of new Set([...titleWords, ...textWords])) {
      await this.#words.add(word, {
        page,
        inTitle: inTitle.get(word) ?? 0,
        inText: inText.get(word) ?? 0,
      });
    }
    this.#pages.push(found);
    this.#pagesLength += found.text.length;
    if (this.#pagesLength > PAGES_FILE_LENGTH) await this.#writePages();
  }

  async finish(): Promise<void> {
    await this.#writePages();
    const weightOf = weigher(this.#lengths);
    let file: WordInPages[] = [];
    let length = 0;
    for await (const [word, occurrences] of this.#words.sorted()) {
      const entry: WordInPages = [word, numbersOf(occurrences, weightOf)];
      file.push(entry);
      length += JSON.stringify(entry).length;
      if (length < WORDS_FILE_LENGTH) continue;
      await this.#writeWords(file);
      file = [];
      length = 0;
    }
    await this.#writeWords(file);
    await this.#words.remove();
    await this.#write('table', this.#table);
  }

  async #writeWords(words: readonly WordInPages[]): Promise<void> {
    const [first] = words;
    if (first === undefined) return;
    await this.#write(`words-${this.#table.words.length}`, words);
    this.#table.words.push(first[0]);
  }

  async #writePages(): Promise<void> {
    if (this.#pages.length === 0) return;
    await this.#write(`pages-${this.#table.pages.length}`, this.#pages);
    this.#table.pages.push(this.#lengths.length - this.#pages.length);
    this.#pages = [];
    this.#pagesLength = 0;
  }

  /** As a script, since a page from `file:` may load nothing else. Its content is one text, whatever a wiki says. */
  async #write(name: string, content: object): Promise<void> {
    const text = JSON.stringify(JSON.stringify(content)).replaceAll('<', '\\u003c');
    await writeFile(
      join(this.#directory, `${name}.js`),
      `pagetreeSearch(${JSON.stringify(name)},${text});\n`,
    );
  }
}

/** In characters. A page or a word with more has a file of its own. */
const PAGES_FILE_LENGTH = 8_000;
const WORDS_FILE_LENGTH = 50_000;

function countEach(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

type WeightOf = (occurrence: Occurrence, pageCount: number) => number;

/** Weighs by BM25, with its usual constants. Weights are whole numbers, which are short in the files. */
function weigher(lengths: readonly number[]): WeightOf {
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  return ({ page, inTitle, inText }, pageCount) => {
    const rarity = Math.log(1 + (lengths.length - pageCount + 0.5) / (pageCount + 0.5));
    const count = TITLE_WEIGHT * inTitle + inText;
    const saturation = 1.2 * (0.25 + (0.75 * (lengths[page] ?? 0)) / average);
    return Math.max(1, Math.round((SCALE * rarity * 2.2 * count) / (count + saturation)));
  };
}

const TITLE_WEIGHT = 3;
const SCALE = 10;

/** Pages and weights by turns. Each page is the distance from the one before: small numbers are short. */
function numbersOf(occurrences: readonly Occurrence[], weightOf: WeightOf): number[] {
  let before = 0;
  return occurrences.flatMap((occurrence) => {
    const distance = occurrence.page - before;
    before = occurrence.page;
    return [distance, weightOf(occurrence, occurrences.length)];
  });
}
