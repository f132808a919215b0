import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import MiniSearch from 'minisearch';
import { pagePath, pageText } from '../../../../labs/wikis/wiki-text.ts';
import { table } from '../markdown-table.ts';
import { readOptions } from '../options.ts';
import { calibrate, time, timingOf } from './measure.ts';

interface Page {
  id: number;
  path: string;
  title: string;
  body: string;
}

/** The figures that decided which library searches (docs/adr/0003-index.md). */
interface Figures {
  build_ms: number;
  size_mb: number;
  start_ms: number;
  replace_page_ms: number;
  common_word_ms: number;
  two_words_ms: number;
}

/** `pnpm bench index-engines [--pages N]`: FTS5 of node:sqlite beside MiniSearch, each with its own tokenizer. */
export async function benchEngines(args: readonly string[]): Promise<string> {
  const values = readOptions('index-engines', args, { pages: { type: 'string', default: '10000' } });
  const count = Number(values.pages);
  const shape = { pages: count, commits: count };
  const pages = Array.from({ length: count }, (_, id): Page => {
    const body = pageText(shape, id, 0);
    return { id, path: pagePath(shape, id), title: body.slice(2, body.indexOf('\n')), body };
  });
  const place = await mkdtemp(join(tmpdir(), 'pagetree-index-engines-'));
  try {
    const calibration = await calibrate();
    const fts5 = await measureFts5(pages, join(place, 'index.sqlite'));
    const minisearch = await measureMiniSearch(pages, join(place, 'index.json'));
    const rows = Object.keys(fts5).map((figure) => {
      const key = figure as keyof Figures;
      return [key, fts5[key], minisearch[key]];
    });
    return `${count} pages; calibration ${calibration} ms.\n\n${table(['', 'node:sqlite FTS5', 'MiniSearch'], rows)}\n`;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function measureFts5(pages: readonly Page[], file: string): Promise<Figures> {
  const insertion = 'INSERT INTO words (rowid, title, path, body) VALUES (?, ?, ?, ?)';
  const build = timed(() => {
    const database = new DatabaseSync(file);
    database.exec(`PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;
      CREATE VIRTUAL TABLE words USING fts5 (title, path, body, content = ''); BEGIN`);
    const insert = database.prepare(insertion);
    for (const { id, title, path, body } of pages) insert.run(id, title, path, body);
    database.exec('COMMIT');
    database.close();
  });
  let database: DatabaseSync | null = null;
  const select = 'SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT 10';
  const start = timed(() => {
    database = new DatabaseSync(file);
    database.prepare(select).all('torin');
  });
  const open = database as unknown as DatabaseSync;
  const [remove, insert, search] = [
    open.prepare("INSERT INTO words (words, rowid, title, path, body) VALUES ('delete', ?, ?, ?, ?)"),
    open.prepare(insertion),
    open.prepare(select),
  ];
  const replace = await time(pages.slice(0, 50), async ({ id, title, path, body }) => {
    open.exec('BEGIN');
    remove.run(id, title, path, body);
    insert.run(id, title, path, body);
    open.exec('COMMIT');
  });
  const common = await time(hundred, async () => search.all('kan'));
  const two = await time(hundred, async () => search.all('torin kazen'));
  open.close();
  return {
    build_ms: build,
    size_mb: await sizeOf(file),
    start_ms: start,
    replace_page_ms: replace.median_ms,
    common_word_ms: common.median_ms,
    two_words_ms: two.median_ms,
  };
}

async function measureMiniSearch(pages: readonly Page[], file: string): Promise<Figures> {
  const options = { fields: ['title', 'path', 'body'] };
  let index = new MiniSearch<Page>(options);
  const build = timed(() => index.addAll(pages));
  const text = JSON.stringify(index);
  await writeFile(file, text);
  const start = timed(() => {
    index = MiniSearch.loadJSON<Page>(text, options);
    index.search('torin');
  });
  const replace = await time(pages.slice(0, 50), async (page) => index.replace(page));
  const common = await time(hundred, async () => index.search('kan').slice(0, 10));
  const two = await time(hundred, async () =>
    index.search('torin kazen', { combineWith: 'AND' }).slice(0, 10),
  );
  return {
    build_ms: build,
    size_mb: await sizeOf(file),
    start_ms: start,
    replace_page_ms: replace.median_ms,
    common_word_ms: common.median_ms,
    two_words_ms: two.median_ms,
  };
}

const hundred = Array.from({ length: 100 });

function timed(work: () => void): number {
  const started = performance.now();
  work();
  return timingOf([performance.now() - started]).median_ms;
}

async function sizeOf(file: string): Promise<number> {
  return Math.round((await stat(file)).size / 100_000) / 10;
}
