/// <reference lib="dom" />
import type { FoundPage, SearchTable, WordInPages } from './search-files.ts';

declare global {
  /** Takes the content of a file of the index, which is a script. */
  var pagetreeSearch: (name: string, text: string) => void;
}

const files = new Map<string, { loaded: Promise<unknown>; take: (content: unknown) => void }>();

globalThis.pagetreeSearch = (name, text) => files.get(name)?.take(JSON.parse(text));

/** The numbers of the pages with any of the words, or with words that begin so. The best come first. */
export async function findPages(words: readonly string[]): Promise<number[]> {
  const table = await load<SearchTable>('table');
  const scores = new Map<number, number>();
  for (const scoresOfWord of await Promise.all(words.map((word) => scorePages(word, table)))) {
    // A page with more of the words comes first.
    for (const [page, score] of scoresOfWord) scores.set(page, (scores.get(page) ?? 0) + score + EACH_WORD);
  }
  return [...scores].toSorted(([a, x], [b, y]) => y - x || a - b).map(([page]) => page);
}

export async function readPage(page: number): Promise<FoundPage> {
  const { pages } = await load<SearchTable>('table');
  const file = pages.findLastIndex((first) => first <= page);
  const found = (await load<FoundPage[]>(`pages-${file}`))[page - (pages[file] ?? 0)];
  if (found === undefined) throw new Error(`No page ${page}`);
  return found;
}

/** More than any page scores for one word. */
const EACH_WORD = 1_000_000;
/** A word that only begins as asked counts less, and the less the longer it is. */
const BEGINNING = 0.4;

async function scorePages(word: string, table: SearchTable): Promise<Map<number, number>> {
  const scores = new Map<number, number>();
  for (const [found, numbers] of await wordsLike(word, table)) {
    const share = found === word ? 1 : (BEGINNING * word.length) / found.length;
    for (let at = 0, page = 0; at < numbers.length; at += 2) {
      page += numbers[at] ?? 0;
      scores.set(page, (scores.get(page) ?? 0) + share * (numbers[at + 1] ?? 0));
    }
  }
  return scores;
}

/** The word, and those that begin with it unless it is a single letter. They follow each other in the files. */
async function wordsLike(word: string, { words }: SearchTable): Promise<WordInPages[]> {
  const last = word.length > 1 ? `${word}\uffff` : word;
  const names = words.flatMap((first, file) => {
    const next = words[file + 1];
    return first <= last && (next === undefined || word < next) ? [`words-${file}`] : [];
  });
  const found = await Promise.all(names.map((name) => load<WordInPages[]>(name)));
  return found.flat().filter(([each]) => word <= each && each <= last);
}

/** Loads a file of the index once. */
function load<Content>(name: string): Promise<Content> {
  const known = files.get(name);
  if (known !== undefined) return known.loaded as Promise<Content>;
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  files.set(name, { loaded: promise, take: resolve });
  const script = document.createElement('script');
  script.src = `search/${name}.js`;
  script.onerror = () => reject(new Error(name));
  document.head.append(script);
  return promise as Promise<Content>;
}
