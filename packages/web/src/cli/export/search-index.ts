import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { INDEX_OPTIONS, keyOf, wordsOf } from '../../client/search-words.ts';
import type { SearchTable } from '../../client/static-search.ts';

export interface PageToFind {
  title: string;
  path: string;
  /** From the root of the site. */
  address: string;
  /** Its lines. */
  text: string;
}

/**
 * Writes the index of a static site. Words go into files by their first letters, and lines into files of their own, so
 * that a search loads only what it needs. Words wait on disk: memory holds those of one file at a time.
 */
export class SearchIndex {
  readonly #directory: string;
  readonly #pages: SearchTable['pages'] = [];
  /** What waits to be written, by the key of the words, and how much was. */
  readonly #waiting = new Map<string, string[]>();
  readonly #bytes = new Map<string, number>();
  #waitingBytes = 0;
  #lines: Record<number, string> = {};
  #lineBytes = 0;
  #lineFiles = 0;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async open(): Promise<void> {
    await mkdir(this.#waitingPlace(''), { recursive: true });
  }

  async add({ title, path, address, text }: PageToFind): Promise<void> {
    const id = this.#pages.length;
    if (this.#lineBytes > 0 && this.#lineBytes + text.length > MAX_LINES) await this.#writeLines();
    this.#pages.push([title, path, address, this.#lineFiles]);
    this.#lines[id] = text;
    this.#lineBytes += text.length;
    const titles = Map.groupBy(wordsOf(`${title} ${path}`), keyOf);
    const texts = Map.groupBy(wordsOf(text), keyOf);
    for (const key of new Set([...titles.keys(), ...texts.keys()])) {
      const line = `${id}\t${(titles.get(key) ?? []).join(' ')}\t${(texts.get(key) ?? []).join(' ')}\n`;
      const waiting = this.#waiting.get(key) ?? [];
      waiting.push(line);
      this.#waiting.set(key, waiting);
      this.#bytes.set(key, (this.#bytes.get(key) ?? 0) + line.length);
      this.#waitingBytes += line.length;
    }
    if (this.#waitingBytes > MAX_WAITING) await this.#flush();
  }

  async finish(): Promise<void> {
    await this.#writeLines();
    await this.#flush();
    const files: SearchTable['files'] = [];
    for (const keys of this.#keysOfFiles()) {
      await this.#writeWords(files.length, keys);
      files.push(keys[0] ?? '');
    }
    await rm(this.#waitingPlace(''), { recursive: true });
    const table: SearchTable = { pages: this.#pages, files };
    await this.#write('pages', table);
  }

  /** Neighbours share a file while they fit. */
  #keysOfFiles(): string[][] {
    const files: string[][] = [];
    let room = 0;
    for (const [key, bytes] of [...this.#bytes].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      if (bytes > room) {
        files.push([]);
        room = MAX_WORDS;
      }
      files.at(-1)?.push(key);
      room -= bytes;
    }
    return files;
  }

  async #writeWords(file: number, keys: readonly string[]): Promise<void> {
    const pages = new Map<number, { id: number; title: string; text: string }>();
    for (const key of keys) {
      const lines = (await readFile(this.#waitingPlace(key), 'utf8')).split('\n').slice(0, -1);
      for (const line of lines) {
        const [id = '', title = '', text = ''] = line.split('\t');
        const page = pages.get(Number(id)) ?? { id: Number(id), title: '', text: '' };
        page.title = joined(page.title, title);
        page.text = joined(page.text, text);
        pages.set(page.id, page);
      }
    }
    const index = new MiniSearch(INDEX_OPTIONS);
    index.addAll([...pages.values()].toSorted((a, b) => a.id - b.id));
    await this.#write(`words-${file}`, index);
  }

  async #writeLines(): Promise<void> {
    await this.#write(`lines-${this.#lineFiles}`, this.#lines);
    this.#lineFiles += 1;
    this.#lines = {};
    this.#lineBytes = 0;
  }

  async #flush(): Promise<void> {
    for (const [key, lines] of this.#waiting) await appendFile(this.#waitingPlace(key), lines.join(''));
    this.#waiting.clear();
    this.#waitingBytes = 0;
  }

  #waitingPlace(key: string): string {
    return join(this.#directory, 'waiting', key);
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

function joined(before: string, more: string): string {
  return before === '' ? more : more === '' ? before : `${before} ${more}`;
}

const MAX_LINES = 100_000;
const MAX_WORDS = 1_000_000;
const MAX_WAITING = 8_000_000;
