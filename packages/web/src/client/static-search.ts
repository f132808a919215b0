/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import MiniSearch from 'minisearch';
import { INDEX_OPTIONS, keyOf, runsOf, wordsOf } from './search-words.ts';

/** What the export writes for the search. */
export interface SearchTable {
  /** The lines of a page are in the file of this number. */
  pages: [title: string, path: string, address: string, lines: number][];
  /** The key with which each file of words begins. */
  files: string[];
}

declare global {
  /** Takes a part of the index from its script. */
  var pagetreeSearch: (name: string, text: string) => void;
}

const parts = new Map<string, { loaded: Promise<string>; take: (text: string) => void }>();

globalThis.pagetreeSearch = (name, text) => parts.get(name)?.take(text);

const status = document.getElementById('ui.search');
const hits = document.getElementById('ui.hits');
const query = new URLSearchParams(location.search).get('q')?.trim() ?? '';
const field = document.querySelector<HTMLInputElement>('form.find input');
if (field !== null) field.value = query;
if (status !== null) {
  // Two ways out stay: the lists of all pages and of all tags.
  const ways = [...status.querySelectorAll('a')];
  const say = (text: string) =>
    status.replaceChildren(`${text} You can also look at `, ways[0] ?? '', ' or the ', ways[1] ?? '', '.');
  say('Write a word into the field above.');
  if (query !== '')
    search(query).then(
      (count) => say(count === 0 ? 'No page was found.' : `${count} ${count === 1 ? 'page' : 'pages'}.`),
      () => say('The index cannot be loaded.'),
    );
}

async function search(asked: string): Promise<number> {
  const words = [...new Set(wordsOf(asked))].slice(0, MAX_WORDS);
  const table = JSON.parse(await load('pages')) as SearchTable;
  const scores = new Map<number, number>();
  for (const word of words) {
    const index = await indexOf(word, table);
    const found = index?.search(word, { prefix: word.length > 1, boost: { title: 3 } }) ?? [];
    // A page with more of the words comes first.
    for (const { id, score } of found) scores.set(id, (scores.get(id) ?? 0) + score + ALL_WORDS);
  }
  const best = [...scores].toSorted(([a, x], [b, y]) => y - x || a - b).slice(0, MAX_HITS);
  const shown = await Promise.all(
    best.map(async ([id]) => {
      const [title, path, address, file] = table.pages[id] ?? ['', '', '', 0];
      const lines = (JSON.parse(await load(`lines-${file}`)) as Record<number, string>)[id] ?? '';
      return showHit({ title, path, address, lines: bestLines(lines, words) }, words);
    }),
  );
  hits?.replaceChildren(...shown);
  return scores.size;
}

const MAX_WORDS = 12;
const MAX_HITS = 30;
const MAX_LINES = 4;
const MAX_LINE = 300;
const ALL_WORDS = 1_000;

const indexes = new Map<number, Promise<MiniSearch>>();

async function indexOf(word: string, { files }: SearchTable): Promise<MiniSearch | null> {
  const key = keyOf(word);
  const file = files.findLastIndex((first) => first <= key);
  if (file === -1) return null;
  const known = indexes.get(file);
  const index = known ?? load(`words-${file}`).then((text) => MiniSearch.loadJSON(text, INDEX_OPTIONS));
  indexes.set(file, index);
  return index;
}

/** Loads a part of the index once. */
function load(name: string): Promise<string> {
  const known = parts.get(name);
  if (known !== undefined) return known.loaded;
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  parts.set(name, { loaded: promise, take: resolve });
  const script = document.createElement('script');
  script.src = `search/${name}.js`;
  script.onerror = () => reject(new Error(name));
  document.head.append(script);
  return promise;
}

function bestLines(lines: string, words: readonly string[]): string[] {
  const counted = lines.split('\n').map((line, at) => {
    const own = wordsOf(line);
    return { line, at, count: words.filter((word) => own.some((each) => each.startsWith(word))).length };
  });
  const best = counted.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count || a.at - b.at);
  return best
    .slice(0, MAX_LINES)
    .map(({ line }) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line));
}

interface Hit {
  title: string;
  path: string;
  address: string;
  lines: string[];
}

function showHit({ title, path, address, lines }: Hit, words: readonly string[]): HTMLElement {
  const link = document.createElement('a');
  // From this page, which lies one folder below the root.
  link.setAttribute('href', `../${address}`);
  link.append(...marked(title, words));
  const heading = document.createElement('h2');
  heading.append(link);
  const entry = document.createElement('li');
  entry.append(
    heading,
    paragraph('path', [path]),
    ...lines.map((line) => paragraph('line', marked(line, words))),
  );
  return entry;
}

function paragraph(className: string, content: readonly (string | Node)[]): HTMLElement {
  const made = Object.assign(document.createElement('p'), { className });
  made.append(...content);
  return made;
}

function marked(text: string, words: readonly string[]): (string | Node)[] {
  return runsOf(text).map((run) => {
    if (!wordsOf(run).some((each) => words.some((word) => each.startsWith(word)))) return run;
    return Object.assign(document.createElement('mark'), { textContent: run });
  });
}
