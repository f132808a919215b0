import type { RE2JS } from 're2js';
import { WikiError } from '../contract/errors.ts';
import type { Oid } from '../contract/ids.ts';
import type { SearchHit, SearchQuery, Window } from '../core/index-port.ts';
import { decodeText } from '../core/text/text-encoding.ts';
import { type LineTest, matchedLines, wordsTest } from './matched-lines.ts';
import type { Pacer } from './pacer.ts';
import type { Clause } from './words-query.ts';

/** A page that a search may show. */
export interface SearchedPage {
  path: string;
  title: string;
  blob: Oid;
  size: number;
}

export interface Reading {
  blob(oid: Oid): Promise<Uint8Array>;
  pacer: Pacer;
}

/** What words found, with the lines to show. */
export async function showWords(
  found: Window<SearchedPage & { score: number }> & { clauses: readonly Clause[] },
  { contextLines }: SearchQuery,
  { blob, pacer }: Reading,
): Promise<Window<SearchHit>> {
  const test = wordsTest(found.clauses);
  const rows: SearchHit[] = [];
  for (const page of found.rows) {
    rows.push(hit(page, matchedLines(await readText(page, blob), test, contextLines), page.score));
    await pacer.breathe();
  }
  return { rows, total: found.total };
}

/** Pages with lines that match a regular expression, in their order; the score is how many lines match. */
export async function searchPattern(
  pages: readonly SearchedPage[],
  { query, contextLines, offset, limit }: SearchQuery,
  { blob, pacer }: Reading,
): Promise<Window<SearchHit>> {
  const pattern = await compile(query);
  refuseTooMuch(pages);
  const rows: SearchHit[] = [];
  let total = 0;
  for (const page of pages) {
    const text = await readText(page, blob);
    let matches = 0;
    const test: LineTest = (line) => {
      const matcher = pattern.matcher(line);
      if (!matcher.find()) return { weight: 0, near: 0 };
      matches += 1;
      return { weight: 1, near: matcher.start() };
    };
    const lines = matchedLines(text, test, contextLines);
    if (matches > 0) {
      if (total >= offset && rows.length < limit) rows.push(hit(page, lines, matches));
      total += 1;
    }
    await pacer.breathe();
  }
  return { rows, total };
}

/** Going through more would take longer than clients wait: some ten seconds. */
const mostBytes = 200_000_000;

function refuseTooMuch(pages: readonly SearchedPage[]): void {
  const bytes = pages.reduce((sum, { size }) => sum + size, 0);
  if (bytes <= mostBytes) return;
  throw new WikiError(
    'too_large',
    {
      happened: `A regular expression would have to go through ${bytes} bytes of pages; the most is ${mostBytes}.`,
      now: 'Nothing was searched.',
      next: 'Give a prefix or a tag that leaves fewer pages, or search for words.',
    },
    { bytes, most: mostBytes },
  );
}

/** RE2 takes time in proportion to the text, whatever the expression. It is large, and seldom asked for. */
async function compile(query: string): Promise<RE2JS> {
  const { RE2JS, RE2JSException } = await import('re2js');
  try {
    return RE2JS.compile(query);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new WikiError('invalid_input', {
      happened: `The regular expression cannot be read: ${error.message}.`,
      now: 'Nothing was searched.',
      next: 'Write it in RE2 syntax, which has no look-around and no back-references, or search for words.',
    });
  }
}

async function readText({ blob: oid }: SearchedPage, blob: Reading['blob']): Promise<string> {
  return decodeText(await blob(oid)).text;
}

function hit(page: SearchedPage, lines: SearchHit['lines'], score: number): SearchHit {
  return {
    path: page.path,
    title: page.title,
    version: page.blob,
    score: Math.round(score * 1_000) / 1_000,
    lines,
  };
}
