import type { Oid } from '../contract/ids.ts';
import type { Index } from '../core/index-port.ts';
import { pagePathOf } from '../core/page-path.ts';
import type { Repository } from '../core/ports.ts';
import type { IndexDatabase } from './index-database.ts';
import { createPacer } from './pacer.ts';
import { searchPages } from './page-search.ts';
import { queryHistory } from './query-history.ts';
import { queryEveryLink, queryLinks } from './query-links.ts';
import { countPages, queryList, queryNames, queryPaths, querySearched } from './query-pages.ts';
import { queryWords } from './query-words.ts';
import { searchPattern, showWords } from './search-lines.ts';
import type { StandingIndex } from './standing-index.ts';
import { compareText } from './text-order.ts';

/** The index of one wiki, answered from SQLite; only the lines that a search shows come from the pages themselves. */
export function sqliteIndex(repository: Repository, standing: StandingIndex): Index {
  async function readingAt(commit: Oid) {
    const snapshot = await repository.at(commit);
    return { blob: (oid: Oid) => snapshot.blob(oid), pacer: createPacer() };
  }

  async function treePaths(commit: Oid): Promise<string[]> {
    const paths = new Set<string>();
    for await (const { path } of (await repository.at(commit)).files()) paths.add(pagePathOf(path) ?? '');
    paths.delete('');
    return [...paths].sort(compareText);
  }

  return {
    seesEveryPage: true,
    catchUp: (commit, progress, signal) => standing.catchUp(commit, progress, signal),
    save: (commit, signal) => standing.save(commit, signal),
    // Reading and writing pages asks for these in passing, and never waits for the index.
    count: (commit) => standing.atOnce(commit, countPages, async () => (await treePaths(commit)).length),
    paths: (commit) => standing.atOnce(commit, queryPaths, () => treePaths(commit)),
    list: (query) => standing.at(query.commit, (database) => queryList(database, query)),
    history: (query) => standing.knowing(query.commit, (database) => queryHistory(database, query)),
    links: (commit, path) => standing.at(commit, (database) => queryLinks(database, path)),
    everyLink: (commit, folders) => standing.at(commit, (database) => queryEveryLink(database, folders)),
    names: (commit, folders) => standing.at(commit, (database) => queryNames(database, folders)),

    async search(query) {
      if (query.mode === 'regex') {
        const pages = await standing.at(query.commit, (database) => querySearched(database, query));
        return searchPattern(pages, query, await readingAt(query.commit));
      }
      const found = await standing.at(query.commit, (database) => {
        const { rows, ...rest } = searchPages(queryWords(database, query), query.query, query);
        return { ...rest, rows: rows.map((row) => ({ ...pageAt(database, row.path), score: row.score })) };
      });
      return showWords(found, query, await readingAt(query.commit));
    },
  };
}

function pageAt(database: IndexDatabase, path: string) {
  const [page] = querySearched(database, { prefix: '' }, path);
  if (page === undefined) throw new Error(`The index found words on ${path}, which it does not know.`);
  return page;
}
