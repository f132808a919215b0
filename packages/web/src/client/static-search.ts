/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { findPages, readPage } from './read-search-files.ts';
import type { FoundPage } from './search-files.ts';
import { runsOf, wordsOf } from './search-words.ts';

const status = document.getElementById('ui.search');
const hits = document.getElementById('ui.hits');
const query = new URLSearchParams(location.search).get('q')?.trim() ?? '';
const field = document.querySelector<HTMLInputElement>('form.find input');
if (field !== null) field.value = query;
if (status !== null && hits !== null) {
  const [pages = '', tags = ''] = status.querySelectorAll('a');
  const say = (text: string) =>
    status.replaceChildren(`${text} You can also look at `, pages, ' or the ', tags, '.');
  say('Write a word into the field above.');
  if (query !== '')
    search(query, hits).then(
      (count) => say(count === 0 ? 'No page was found.' : `${count} ${count === 1 ? 'page' : 'pages'}.`),
      () => say('The index cannot be loaded.'),
    );
}

/** Shows the first pages that are found, and a button for more. Returns the number of all. */
async function search(asked: string, list: HTMLElement): Promise<number> {
  const words = [...new Set(wordsOf(asked))].slice(0, MAX_WORDS);
  const found = await findPages(words);
  await showMore(list, found, words);
  return found.length;
}

const MAX_WORDS = 12;
const HITS_AT_ONCE = 10;
const MAX_LINES = 4;
const MAX_LINE = 300;

/** Each shown page loads a file, so only some are shown at once. */
async function showMore(list: HTMLElement, found: readonly number[], words: readonly string[]) {
  const shown = found.slice(0, HITS_AT_ONCE);
  const entries = await Promise.all(shown.map(async (page) => showHit(await readPage(page), words)));
  list.append(...entries);
  const rest = found.slice(HITS_AT_ONCE);
  if (rest.length === 0) return;
  const button = Object.assign(document.createElement('button'), { textContent: 'More pages' });
  button.addEventListener('click', async () => {
    button.disabled = true;
    const last = list.lastElementChild;
    await showMore(list, rest, words).finally(() => button.remove());
    last?.nextElementSibling?.querySelector('a')?.focus();
  });
  list.after(button);
}

function showHit({ title, path, address, text }: FoundPage, words: readonly string[]): HTMLElement {
  const link = document.createElement('a');
  // From this page, which lies one folder below the root.
  link.setAttribute('href', `../${address}`);
  link.append(...marked(title, words));
  const heading = document.createElement('h2');
  heading.append(link);
  const entry = document.createElement('li');
  const lines = bestLines(text, words).map((line) => paragraph('line', marked(line, words)));
  entry.append(heading, paragraph('path', [path]), ...lines);
  return entry;
}

/** The lines with the most of the words. */
function bestLines(text: string, words: readonly string[]): string[] {
  const counted = text.split('\n').map((line) => {
    const own = wordsOf(line);
    return { line, count: words.filter((word) => own.some((each) => each.startsWith(word))).length };
  });
  return counted
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
    .slice(0, MAX_LINES)
    .map(({ line }) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line));
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
