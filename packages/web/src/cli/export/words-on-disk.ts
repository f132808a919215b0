import { appendFile, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** How often a word is in a page. */
export interface Occurrence {
  page: number;
  inTitle: number;
  inText: number;
}

/** Sorts the words of all pages on disk. Memory holds only those that begin with the same two letters. */
export class WordsOnDisk {
  readonly #directory: string;
  readonly #keys = new Set<string>();
  readonly #waiting = new Map<string, string>();
  #waitingLength = 0;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async add(word: string, { page, inTitle, inText }: Occurrence): Promise<void> {
    const key = beginningOf(word);
    const line = `${word} ${page} ${inTitle} ${inText}\n`;
    this.#waiting.set(key, (this.#waiting.get(key) ?? '') + line);
    this.#waitingLength += line.length;
    if (this.#waitingLength > MAX_WAITING) await this.#flush();
  }

  /** The words in the order of their code units, each with its pages in the order in which they came. */
  async *sorted(): AsyncGenerator<[word: string, Occurrence[]]> {
    await this.#flush();
    for (const key of [...this.#keys].toSorted()) {
      const text = await readFile(join(this.#directory, key), 'utf8');
      const lines = text.trimEnd().split('\n').map(readLine);
      const words = Map.groupBy(lines, ({ word }) => word);
      for (const word of [...words.keys()].toSorted()) yield [word, words.get(word) ?? []];
    }
  }

  async remove(): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #flush(): Promise<void> {
    await mkdir(this.#directory, { recursive: true });
    for (const [key, lines] of this.#waiting) {
      await appendFile(join(this.#directory, key), lines);
      this.#keys.add(key);
    }
    this.#waiting.clear();
    this.#waitingLength = 0;
  }
}

const MAX_WAITING = 8_000_000;

/**
 * The name of the file for a word. Names have the same order as their words, so `~`, which follows all letters of ASCII,
 * stands for all other letters.
 */
function beginningOf(word: string): string {
  if (/^[a-z0-9]/.test(word)) return word.slice(0, 2).replace(/[^a-z0-9]/, '~');
  return `~${(word.charCodeAt(0) >> 6).toString(16).padStart(4, '0')}`;
}

function readLine(line: string): Occurrence & { word: string } {
  const [word = '', page, inTitle, inText] = line.split(' ');
  return { word, page: Number(page), inTitle: Number(inTitle), inText: Number(inText) };
}
