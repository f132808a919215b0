import type { PageFilter } from '../../core/index-port.ts';
import type { Steps } from '../../scheduling/in-turns.ts';
import type { IndexDatabase } from '../sqlite/index-database.ts';
import { knownPages, PAGES_AT_ONCE, withFacts } from './occurrence-facts.ts';
import { phrase } from './phrase.ts';
import { COLUMNS, type Column, type Occurrence, type WordMatcher } from './word-matcher.ts';

/**
 * Finds the pages that contain a clause, and how often each column does. One statement cannot be stopped, so
 * each covers only as many pages as have a limited number of terms together.
 */
export function occurrencesIn(database: IndexDatabase, filter: PageFilter): WordMatcher['occurrences'] {
  return ({ terms, prefix }) => {
    const [first = '', ...more] = terms;
    if (more.length > 0) return phraseSteps(database, filter, terms);
    return prefix ? beginningSteps(database, filter, first) : wordSteps(database, filter, first);
  };
}

/** Reads the places of a word one by one, unless there are many: then its scores say how often it stands on a page. */
function* wordSteps(database: IndexDatabase, filter: PageFilter, word: string): Steps<Occurrence[]> {
  if (placesOf(database, word) > PLACES_AT_ONCE) return yield* frequentWordSteps(database, filter, word);
  const pages = new Map<number, number[]>();
  countPlaces(database, pages, word, word);
  yield;
  return yield* withFacts(database, filter, pages);
}

/**
 * FTS5 does not report how often a word is in a column, but its score with the weight of this column alone
 * does: it is rarity * count * (k1 + 1) / (count + k1 * norm), with a norm that grows with the length of the
 * page. Reading the places one by one takes ten times as long for a word on every page.
 */
function* frequentWordSteps(database: IndexDatabase, filter: PageFilter, word: string): Steps<Occurrence[]> {
  const match = phrase({ terms: [word], prefix: false, quoted: false });
  const pages = new Map<number, number[]>();
  let scale: ReturnType<typeof scaleOf> | undefined;
  for (const [first, last] of rangesOf(database, [placesOf(database, word)])) {
    const rows = database.arrays(
      `SELECT rowid, ${scores} FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ?`,
      match,
      first,
      last,
    ) as number[][];
    yield;
    if (rows.length === 0) continue;
    scale ??= scaleOf(database, match);
    yield* countByScores(database, pages, rows, scale);
  }
  return yield* withFacts(database, filter, pages);
}

/** The counts of the columns from rows of a page and its score in each column. */
function* countByScores(
  database: IndexDatabase,
  pages: Map<number, number[]>,
  rows: readonly number[][],
  { rarity, averageLength }: ReturnType<typeof scaleOf>,
): Steps<void> {
  for (let from = 0; from < rows.length; from += PAGES_AT_ONCE) {
    const some = rows.slice(from, from + PAGES_AT_ONCE);
    const known = knownPages(
      database,
      some.map(([page]) => page as number),
    );
    for (const [page = 0, ...columns] of some) {
      const norm = normOf(known.get(page)?.allTerms ?? 0, averageLength);
      pages.set(
        page,
        columns.map((score) => countOf(score / rarity, norm)),
      );
    }
    yield;
  }
}

/** A phrase is either in a column or not: to count it, FTS5 would search all pages at once. */
function* phraseSteps(database: IndexDatabase, filter: PageFilter, terms: string[]): Steps<Occurrence[]> {
  const match = phrase({ terms, prefix: false, quoted: true });
  const pages = new Map<number, number[]>();
  const places = terms.map((term) => placesOf(database, term));
  if (places.includes(0)) return [];
  for (const [first, last] of rangesOf(database, places)) {
    for (const [at, column] of COLUMNS.entries()) {
      const rows = database.arrays(
        'SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ?',
        `${column} : ${match}`,
        first,
        last,
      );
      for (const [page] of rows) countsOf(pages, Number(page))[at] = 1;
      yield;
    }
  }
  return yield* withFacts(database, filter, pages);
}

/** Words with this beginning are taken a few at a time: FTS5 would first sort the places of all of them. */
function* beginningSteps(
  database: IndexDatabase,
  filter: PageFilter,
  beginning: string,
): Steps<Occurrence[]> {
  const pages = new Map<number, number[]>();
  for (let from = beginning; ; ) {
    const rows = database.arrays(
      'SELECT term, cnt FROM vocabulary WHERE term >= ? AND term < ? LIMIT ?',
      from,
      `${beginning}\u{10ffff}`,
      WORDS_AT_ONCE,
    );
    yield;
    for (const { first, last, places } of groupsOf(rows)) {
      if (places > PLACES_AT_ONCE) addCounts(pages, yield* wordSteps(database, { prefix: '' }, first));
      else countPlaces(database, pages, first, last);
      yield;
    }
    if (rows.length < WORDS_AT_ONCE) return yield* withFacts(database, filter, pages);
    from = `${rows.at(-1)?.[0]}\0`;
  }
}

/** Groups of adjacent words that have this many places together, or a single word that has more. */
function groupsOf(rows: readonly unknown[][]): { first: string; last: string; places: number }[] {
  const groups: { first: string; last: string; places: number }[] = [];
  for (const [term, count] of rows) {
    const [word, places] = [String(term), Number(count)];
    const group = groups.at(-1);
    if (group === undefined || group.places + places > PLACES_AT_ONCE) {
      groups.push({ first: word, last: word, places });
    } else {
      group.last = word;
      group.places += places;
    }
  }
  return groups;
}

function addCounts(pages: Map<number, number[]>, occurrences: readonly Occurrence[]): void {
  for (const { page, counts } of occurrences) {
    const sum = countsOf(pages, page);
    for (const [column, count] of counts.entries()) sum[column] = (sum[column] ?? 0) + count;
  }
}

function countPlaces(
  database: IndexDatabase,
  pages: Map<number, number[]>,
  first: string,
  last: string,
): void {
  // Counted here: to let SQLite group them takes twice as long.
  const places = database.arrays(
    'SELECT doc, col FROM places WHERE term >= ? AND term <= ?',
    first,
    last,
  ) as [number, Column][];
  for (const [page, name] of places) {
    const column = COLUMN_AT[name];
    const sum = countsOf(pages, page);
    sum[column] = (sum[column] ?? 0) + 1;
  }
}

const COLUMN_AT = Object.fromEntries(COLUMNS.map((name, at) => [name, at])) as Record<Column, number>;

function countsOf(pages: Map<number, number[]>, page: number): number[] {
  let counts = pages.get(page);
  if (counts === undefined) {
    counts = COLUMNS.map(() => 0);
    pages.set(page, counts);
  }
  return counts;
}

const scores = COLUMNS.map(
  (_, at) => `-bm25(words, ${COLUMNS.map((_, other) => (other === at ? 1 : 0)).join(', ')})`,
).join(', ');

function countOf(share: number, norm: number): number {
  return share === 0 ? 0 : Math.round((share * norm) / (K1 + 1 - share));
}

function normOf(length: number, averageLength: number): number {
  return K1 * (1 - B + (B * length) / averageLength);
}

/**
 * The factors of FTS5's scores. Counted here: within a transaction, the numbers that FTS5 stores on disk lag
 * behind.
 */
function scaleOf(database: IndexDatabase, match: string): { rarity: number; averageLength: number } {
  const [all] = database.all('SELECT sum(pages) AS pages, sum(all_terms) AS terms FROM languages');
  const pages = Number(all?.pages);
  const holding = Number(database.value('SELECT count(*) FROM words WHERE words MATCH ?', match));
  const rarity = Math.log((pages - holding + 0.5) / (holding + 0.5));
  return { rarity: Math.max(LEAST_RARITY, rarity), averageLength: Number(all?.terms) / pages };
}

/** The number of times that a term stands on all pages together. */
function placesOf(database: IndexDatabase, term: string): number {
  return Number(database.value('SELECT cnt FROM vocabulary WHERE term = ?', term) ?? 0);
}

/**
 * The first and last ids of page ranges in which terms with so many places have about `PLACES_OF_RANGE` together: one
 * range with all pages for most terms. As few as possible: FTS5 reads the places of a term from the first page on,
 * whatever the range, and its scores count all pages with the term.
 */
function rangesOf(database: IndexDatabase, places: readonly number[]): [first: number, last: number][] {
  const ranges = places.reduce((sum, count) => sum + count, 0) / PLACES_OF_RANGE;
  if (ranges <= 1) return [[0, Number.MAX_SAFE_INTEGER]];
  const terms = Number(database.value('SELECT sum(all_terms) FROM languages') ?? 0);
  return database
    .arrays(
      `SELECT min(id), max(id) FROM (SELECT id, sum(all_terms) OVER (ORDER BY id) AS sum FROM pages)
       GROUP BY sum / ? ORDER BY 1`,
      Math.max(PLACES_OF_RANGE, Math.floor(terms / ranges)),
    )
    .map(([first, last]) => [Number(first), Number(last)]);
}

// Each statement takes some milliseconds, or some dozens on pages made to take long.
const PLACES_OF_RANGE = 1_000_000;
const WORDS_AT_ONCE = 1_000;
const PLACES_AT_ONCE = 20_000;

// The values of FTS5 (fts5_aux.c).
const K1 = 1.2;
const B = 0.75;
const LEAST_RARITY = 1e-6;
