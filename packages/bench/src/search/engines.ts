import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Embedder, openWiki } from '@pagetree/wiki';
import MiniSearch from 'minisearch';
import type { Corpus } from './corpora.ts';
import type { Page } from './known-items.ts';

/** Answers a query with at most ten page paths, best first. */
export interface Engine {
  search(query: string): Promise<string[]>;
  close(): Promise<void>;
}

/** The number of pages that an engine answers. */
export const MAX_FOUND = 10;
const call = { caller: { author: { name: 'Benchmark', email: 'benchmark@example.org' }, agent: null } };

/** Ours, as an agent uses it, and all pages of the wiki with their titles. With an embedder, once each page has vectors. */
export async function openOurs(
  { wikis, files }: Corpus,
  workDirectory: string,
  embedder?: Embedder,
): Promise<Engine & { pages: Page[] }> {
  const host = { backend: 'local', versions: {}, problems: [] };
  const { wiki, close } = await openWiki({
    directory: wikis,
    wiki: null,
    placement: 'local',
    workDirectory,
    embedder,
    host,
  });
  const ask = (query: string) =>
    wiki.search_pages({ query, mode: 'words', context_lines: 0, limit: MAX_FOUND }, call);
  if (embedder !== undefined) while ((await ask('where is it')).note !== undefined) await setTimeout(1_000);
  const pages: Page[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const listed: Awaited<ReturnType<typeof wiki.list_pages>> = await wiki.list_pages(
      { sort: 'path', limit: 200, ...(cursor !== '' && { cursor }) },
      call,
    );
    for (const { path, title } of listed.pages) {
      pages.push({ path, title, text: await readFile(join(files, `${path}.md`), 'utf8') });
    }
    cursor = listed.next_cursor;
  }
  return {
    pages,
    close,
    search: async (query) => (await ask(query)).hits.map(({ path }) => path),
  };
}

/** SQLite's FTS5 as its documentation sets it up: its own tokenizer, any of the words, the best by bm25 first. */
export function openFts5(pages: readonly Page[]): Engine {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE VIRTUAL TABLE pages USING fts5 (path UNINDEXED, title, text)');
  const insert = database.prepare('INSERT INTO pages (path, title, text) VALUES (?, ?, ?)');
  for (const { path, title, text } of pages) insert.run(path, title, text);
  const select = database.prepare(
    'SELECT path FROM pages WHERE pages MATCH ? ORDER BY bm25(pages), path LIMIT ?',
  );
  return {
    close: async () => database.close(),
    async search(query) {
      const words = query.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
      if (words.length === 0) return [];
      const found = select.all(words.map((word) => `"${word}"`).join(' OR '), MAX_FOUND);
      return found.map(({ path }) => String(path));
    },
  };
}

/** MiniSearch as its documentation sets it up: titles weigh more, beginnings of words and misspellings are found. */
export function openMiniSearch(pages: readonly Page[]): Engine {
  const index = new MiniSearch<Page>({ idField: 'path', fields: ['title', 'text'] });
  index.addAll(pages);
  return {
    close: async () => {},
    async search(query) {
      const found = index.search(query, { boost: { title: 10 }, prefix: true, fuzzy: 0.2 });
      return found.slice(0, MAX_FOUND).map(({ id }) => String(id));
    },
  };
}

/** ripgrep, as an agent with a shell uses it: any of the words, the files with most matches first. */
export function openRipgrep(files: string): Engine {
  const execute = promisify(execFile);
  return {
    close: async () => {},
    async search(query) {
      const patterns = query.split(/\s+/).flatMap((word) => ['-e', word]);
      const args = ['-iF', '--count-matches', '--no-messages', '-g', '*.md', ...patterns, '.'];
      const { stdout } = await execute('rg', args, { cwd: files, maxBuffer: 2 ** 28 }).catch(nothingFound);
      const counted = stdout.split('\n').flatMap((line) => {
        const [, path, count] = /^\.\/(.*)\.md:(\d+)$/.exec(line) ?? [];
        return path === undefined ? [] : [{ path, count: Number(count) }];
      });
      counted.sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1));
      return counted.slice(0, MAX_FOUND).map(({ path }) => path);
    },
  };
}

/** ripgrep's status is 1 if nothing matches. */
function nothingFound(error: { code?: unknown; stdout?: string }): { stdout: string } {
  if (error.code === 1) return { stdout: '' };
  throw error;
}
