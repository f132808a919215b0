import type { Oid } from '../../contract/ids.ts';
import type { PageFilter } from '../../core/index-port.ts';
import { compareText } from '../../core/text/text-order.ts';
import type { Steps } from '../../scheduling/in-turns.ts';
import { liesInFolders } from '../sqlite/folders-condition.ts';
import type { IndexDatabase } from '../sqlite/index-database.ts';
import { filterCondition } from '../sqlite/page-filter.ts';
import { PAGES_AT_ONCE } from './occurrence-facts.ts';
import { occurrencesIn } from './occurrences-in-sqlite.ts';
import { nameRank, type WantedName } from './page-names.ts';
import { phrase } from './phrase.ts';
import type { LanguageSize, WordMatcher } from './word-matcher.ts';

/** Finds words through FTS5. */
export function queryWords(database: IndexDatabase, filter: PageFilter): WordMatcher {
  const below = filterCondition(database, { prefix: filter.prefix, folders: filter.folders });
  /** Counted in the searched folder, so that pages elsewhere have no effect. */
  const pagesWith = (term: string) => {
    const pages = Number(database.value('SELECT doc FROM vocabulary WHERE term = ?', term) ?? 0);
    if (pages === 0 || below.condition === '1') return pages;
    return Number(
      database.value(
        `SELECT count(*) FROM words JOIN paths ON paths.id = words.rowid WHERE words MATCH ? AND ${below.condition}`,
        phrase({ terms: [term], prefix: false, quoted: false }),
        ...below.values,
      ),
    );
  };

  const known = new Map<string, number>();

  return {
    occurrences: occurrencesIn(database, filter),
    languages: () => queryLanguages(database, filter.folders),
    ranksByName: (name) => queryRanksByName(database, name),
    pagesAt: (versions) => queryPagesAt(database, filter, versions),
    pathOf: (page) => String(database.value('SELECT path FROM paths WHERE id = ?', page)),
    firstPaths: (pages, most) => queryFirstPaths(database, pages, most),

    wordsFrom: (word, most) =>
      database
        .arrays('SELECT term FROM spellings WHERE term >= ? ORDER BY term LIMIT ?', word, most)
        .map(([term]) => String(term)),

    pagesWith(term) {
      const pages = known.get(term) ?? pagesWith(term);
      known.set(term, pages);
      return pages;
    },
  };
}

function queryLanguages(database: IndexDatabase, folders: readonly string[] | undefined): LanguageSize[] {
  const rows =
    folders === undefined
      ? database.all('SELECT language, pages, terms FROM languages WHERE pages > 0')
      : database.all(
          `SELECT language, count(*) AS pages, sum(terms) AS terms FROM pages JOIN paths USING (id)
           WHERE ${liesInFolders('paths.path')} GROUP BY language`,
          JSON.stringify(folders),
        );
  return rows.map(({ language, pages, terms }) => ({
    language: String(language) || null,
    pages: Number(pages),
    terms: Number(terms),
  }));
}

function* queryPagesAt(
  database: IndexDatabase,
  filter: PageFilter,
  versions: readonly Oid[],
): Steps<number[][]> {
  const { condition, values } = filterCondition(database, filter);
  const rows = database.arrays(
    `SELECT lower(hex(blob)), id FROM pages JOIN paths USING (id)
     WHERE lower(hex(blob)) IN (SELECT value FROM json_each(?)) AND ${condition}`,
    JSON.stringify(versions),
    ...values,
  );
  yield;
  const pages = Map.groupBy(rows, ([version]) => version);
  return versions.flatMap((version) => {
    const found = pages.get(version);
    return found === undefined ? [] : [found.map(([, page]) => Number(page))];
  });
}

function* queryFirstPaths(database: IndexDatabase, pages: readonly number[], most: number): Steps<string[]> {
  let first: string[] = [];
  for (let from = 0; from < pages.length; from += PAGES_AT_ONCE) {
    const rows = database.arrays(
      'SELECT path FROM paths WHERE id IN (SELECT value FROM json_each(?)) ORDER BY path LIMIT ?',
      JSON.stringify(pages.slice(from, from + PAGES_AT_ONCE)),
      most,
    );
    first = [...first, ...rows.map(([path]) => String(path))].sort(compareText).slice(0, most);
    yield;
  }
  return first;
}

/** The ranks of the pages that match a name, by the ids of their paths. */
function* queryRanksByName(database: IndexDatabase, wanted: WantedName): Steps<Map<number, number>> {
  const rows = database.all(
    `SELECT id, path, title, title_terms FROM pages JOIN paths USING (id)
     WHERE title_terms = ?1 OR name = ?2 OR id IN (SELECT page FROM aliases WHERE aliases.name = ?2)`,
    wanted.terms,
    wanted.key,
  );
  const ranks = new Map<number, number>();
  for (const { id, path, title, title_terms } of rows) {
    yield;
    const page = { path: String(path), title: String(title), titleTerms: String(title_terms) };
    const aliases = database.all(
      'SELECT alias FROM aliases WHERE name = ? AND page = ?',
      wanted.key,
      Number(id),
    );
    const rank = nameRank({ ...page, aliases: aliases.map(({ alias }) => String(alias)) }, wanted);
    if (rank > 0) ranks.set(Number(id), rank);
  }
  return ranks;
}
