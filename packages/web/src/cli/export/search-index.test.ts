import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { FoundPage, SearchTable, WordInPages } from '../../client/search-files.ts';
import { wordsOf } from '../../client/search-words.ts';
import { SearchIndex } from './search-index.ts';

test('words follow each other through all files, in any script, and pages lie where the table says', async () => {
  const pages = Array.from({ length: 300 }, (_, at) => pageOf(at));
  const { table, read, files } = await writeIndex(pages);
  expect(files).toHaveLength(table.words.length + table.pages.length + 1);
  expect(table.words.length).toBeGreaterThan(1);
  const found: string[] = [];
  for (const [file, first] of table.words.entries()) {
    const words = (await read<WordInPages[]>(`words-${file}`)).map(([word]) => word);
    expect(words[0]).toBe(first);
    found.push(...words);
  }
  const all = new Set(pages.flatMap(({ title, path, text }) => wordsOf(`${title} ${path} ${text}`)));
  expect(found).toEqual([...all].toSorted());
  for (const [file, first] of table.pages.entries()) {
    expect((await read<FoundPage[]>(`pages-${file}`))[0]).toEqual(pages[first]);
  }
});

test('a word weighs more in a title, and in a short page, and when it is rare', async () => {
  const more = Array.from({ length: 9 }, (_, at) => made(`Other ${at}`, 'common words'));
  const { read } = await writeIndex([
    made('Kraken', 'common words of a page'),
    made('One', 'kraken'),
    made('Two', `kraken ${'long '.repeat(50)}`),
    ...more,
  ]);
  const words = new Map(await read<WordInPages[]>('words-0'));
  const [, inTitle = 0, toShort, inShort = 0, toLong, inLong = 0, ...rest] = words.get('kraken') ?? [];
  expect({ toShort, toLong, rest }).toEqual({ toShort: 1, toLong: 1, rest: [] });
  expect(inTitle).toBeGreaterThan(inShort);
  expect(inShort).toBeGreaterThan(inLong);
  expect(inShort).toBeGreaterThan(words.get('common')?.[3] ?? Number.POSITIVE_INFINITY);
});

async function writeIndex(pages: readonly FoundPage[]) {
  const directory = mkdtempSync(join(tmpdir(), 'pagetree-search-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const index = new SearchIndex(directory);
  await index.open();
  for (const page of pages) await index.add(page);
  await index.finish();
  const read = async <Content>(name: string): Promise<Content> => {
    const script = await readFile(join(directory, `${name}.js`), 'utf8');
    return JSON.parse(JSON.parse(`[${script.slice('pagetreeSearch('.length, -3)}]`)[1]);
  };
  return { table: await read<SearchTable>('table'), read, files: await readdir(directory) };
}

function made(title: string, text: string): FoundPage {
  return { title, path: title, address: `${title}.html`, text };
}

/** Each has words of its own, some with letters that ASCII and one unit of UTF-16 do not have. */
function pageOf(at: number): FoundPage {
  const own = ['a', 'aæ', 'ab', 'z', 'æ', '\u{1d7d8}', '\u{20000}', '\uff5e', '日本語', 'ไทย', '한국'];
  return made(`Page ${at}`, own.map((word) => `${word}${at} ${word}`).join(' ') + ' filler'.repeat(40));
}
