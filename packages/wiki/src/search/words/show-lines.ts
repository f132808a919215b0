import type { RE2JS } from 're2js';
import { WikiError } from '../../contract/errors.ts';
import type { Oid } from '../../contract/ids.ts';
import type { SearchHit, SearchQuery, SearchResult, Window } from '../../core/index-port.ts';
import { decodeText } from '../../core/text/text-encoding.ts';
import type { Pacer } from '../pacer.ts';
import { type LineTest, matchedLines, wordFinder, wordsTest } from './matched-lines.ts';
import type { FoundPages } from './rank-pages.ts';

/** A page that a search may show. */
export interface SearchedPage {
  path: string;
  title: string;
  blob: Oid;
  size: number;
  /** See `SearchHit`. */
  supersededBy: string | null;
}

export interface Reading {
  blob(oid: Oid): Promise<Uint8Array>;
  pacer: Pacer;
}

/** The result of a word search, with the lines to show. */
export async function showWords(
  found: Window<SearchedPage & { score: number }> & Pick<FoundPages, 'clauses' | 'words'>,
  { contextLines }: SearchQuery,
  { blob, pacer }: Reading,
): Promise<SearchResult> {
  const test = wordsTest(found.clauses);
  const rows: SearchHit[] = [];
  for (const page of found.rows) {
    const text = await readText(page, blob);
    rows.push(hit(page, await matchedLines(text, test, contextLines, pacer), page.score));
    await pacer.yieldIfDue();
  }
  return { rows, total: found.total, wordsIn: wordFinder(found.words) };
}

/**
 * Pages with lines that match a regular expression, in their order; the score is the number of matching
 * lines. A search that takes too long is stopped, and `searched` then reports how far it came.
 */
export async function searchPattern(
  pages: readonly SearchedPage[],
  { query, contextLines, offset, limit }: SearchQuery,
  { blob, pacer }: Reading,
  maxMs = MAX_PATTERN_MS,
): Promise<SearchResult> {
  const pattern = await compile(query);
  refuseTooMuch(pages);
  const longestLine = Math.floor(LINE_STEPS / (pattern.programSize() + SMALLEST_PROGRAM));
  const rows: SearchHit[] = [];
  let total = 0;
  let cutLines = 0;
  let searched = 0;
  for (const page of pages) {
    if (pacer.workedMs > maxMs) return { rows, total, partly: { searched, cutLines, longestLine } };
    const text = await readText(page, blob);
    pacer.resume();
    let matches = 0;
    const test: LineTest = (line) => {
      if (pacer.workedMs > maxMs) return { weight: 0, near: 0 };
      if (line.length > longestLine) cutLines += 1;
      const matcher = pattern.matcher(line.slice(0, longestLine));
      if (!matcher.find()) return { weight: 0, near: 0 };
      matches += 1;
      return { weight: 1, near: matcher.start() };
    };
    const lines = await matchedLines(text, test, contextLines, pacer);
    if (pacer.workedMs <= maxMs) searched += 1;
    if (matches > 0) {
      if (total >= offset && rows.length < limit) rows.push(hit(page, lines, matches));
      total += 1;
    }
    await pacer.yieldIfDue();
  }
  const isWhole = searched === pages.length && cutLines === 0;
  return { rows, total, ...(!isWhole && { partly: { searched, cutLines, longestLine } }) };
}

/**
 * RE2 takes up to some 40 ns for each character and each instruction of the program, and cannot be
 * interrupted: this much of one line takes 100 ms.
 */
const LINE_STEPS = 3_000_000;
/** The smallest program takes as long as one of this many instructions. */
const SMALLEST_PROGRAM = 4;
/** Prose has lines of some 1,000 characters: a larger program could not process one at once. */
const MAX_PROGRAM = 2_000;
/** The working time of one call, without waits. */
const MAX_PATTERN_MS = 4_000;

/** Searching more would take longer than clients wait: some ten seconds. */
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

/**
 * RE2 takes time in proportion to the text, whatever the expression. It is large and rarely used, so it is
 * loaded late.
 */
async function compile(query: string): Promise<RE2JS> {
  const { RE2JS, RE2JSException } = await import('re2js');
  try {
    const pattern = RE2JS.compile(query);
    if (pattern.programSize() > MAX_PROGRAM) throw tooLarge(pattern.programSize());
    return pattern;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new WikiError('invalid_input', {
      happened: `The regular expression cannot be read: ${error.message}.`,
      now: 'Nothing was searched.',
      next: 'Write it in RE2 syntax, which has no look-around and no back-references, or search for words.',
    });
  }
}

function tooLarge(instructions: number): WikiError {
  return new WikiError(
    'invalid_input',
    {
      happened: `The regular expression repeats too much: it makes a program of ${instructions} instructions; the most is ${MAX_PROGRAM}.`,
      now: 'Nothing was searched.',
      next: 'Repeat less, such as + in place of {1,1000}, or search for words.',
    },
    { instructions, most: MAX_PROGRAM },
  );
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
    supersededBy: page.supersededBy,
    lines,
  };
}
