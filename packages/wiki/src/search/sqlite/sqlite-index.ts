import { setImmediate } from 'node:timers/promises';
import type { Oid } from '../../contract/ids.ts';
import type { Index, PlacedLink } from '../../core/index-port.ts';
import { pagePathOf } from '../../core/paths/page-path.ts';
import type { Repository } from '../../core/ports.ts';
import { linkReport } from '../../core/text/links/link-report.ts';
import { createLinkResolver } from '../../core/text/links/link-resolver.ts';
import { compareText } from '../../core/text/text-order.ts';
import { queryConflict, queryConflicts } from '../history/conflicts-in-sqlite.ts';
import { queryDeparture, queryHistory, queryMoveAfter } from '../history/history-in-sqlite.ts';
import {
  linkedSteps,
  linksNamedSteps,
  queryAnchors,
  queryLinkingPages,
  queryLinksOn,
  queryNamesLike,
  queryUnread,
} from '../links/links-in-sqlite.ts';
import { createPacer, type Pacer } from '../pacer.ts';
import { readUnlessTooLarge } from '../read-unless-too-large.ts';
import type { AnsweringIndex } from '../with-past.ts';
import { queryWords } from '../words/match-in-sqlite.ts';
import { pagesNaming } from '../words/pages-naming.ts';
import { rankPages } from '../words/rank-pages.ts';
import { searchPattern, showWords } from '../words/show-lines.ts';
import { withinTime } from '../words/within-time.ts';
import { readWordsQuery } from '../words/words-query.ts';
import type { IndexDatabase } from './index-database.ts';
import {
  countPages,
  queryFiles,
  queryList,
  queryNames,
  queryPaths,
  querySearched,
  sketchesSteps,
  tagSteps,
} from './query-pages.ts';

/**
 * The index of one wiki, answered from SQLite. Only the lines that a search shows come from the pages
 * themselves.
 */
export function sqliteIndex(repository: Repository, standing: AnsweringIndex): Index {
  async function readingAt(commit: Oid, pacer: Pacer) {
    const snapshot = await repository.at(commit);
    const blob = async (oid: Oid) => (await readUnlessTooLarge(snapshot, oid)) ?? new Uint8Array();
    return { blob, pacer };
  }

  /** In portions: all links of a large wiki at once would block other calls for seconds. */
  async function everyLink(commit: Oid, folders?: readonly string[]): Promise<PlacedLink[]> {
    const pages = await standing.at(commit, (database) => queryLinkingPages(database, folders));
    const links: PlacedLink[] = [];
    for (let next = 0; next < pages.length; ) {
      const portion = await standing.at(commit, (database) => {
        const found: PlacedLink[] = [];
        while (next < pages.length && found.length < LINKS_AT_ONCE) {
          for (const link of queryLinksOn(database, pages[next] as number)) found.push(link);
          next += 1;
        }
        return found;
      });
      for (const link of portion) links.push(link);
      await setImmediate();
    }
    return links;
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
    standAt: (commit, progress, signal) => standing.standAt(commit, progress, signal),
    save: (commit, signal) => standing.save(commit, signal),
    // Reading and writing pages query these in passing, and never wait for the index.
    count: (commit) => standing.atOnce(commit, countPages, async () => (await treePaths(commit)).length),
    paths: (commit) => standing.atOnce(commit, queryPaths, () => treePaths(commit)),
    list: (query) => standing.at(query.commit, (database) => queryList(database, query)),
    tags: (query) =>
      standing.inSteps(
        query.commit,
        (database) => tagSteps(database, query),
        createPacer(query.signal),
        query.signal,
      ),
    history: (query) => standing.knowing(query.commit, (database) => queryHistory(database, query)),
    departure: (commit, path) =>
      standing.knowing(commit, (database) => queryDeparture(database, commit, path)),
    moveAfter: (commit, path, since) =>
      standing.knowing(commit, (database) => queryMoveAfter(database, commit, path, since)),
    conflicts: (commit, folders) =>
      standing.knowing(commit, (database) => queryConflicts(database, commit, folders)),
    conflictOf: (commit, path) =>
      standing.knowing(commit, (database) => queryConflict(database, commit, path)),
    atOnce: {
      departure: (commit, path) =>
        standing.knowingAtOnce(commit, (database) => queryDeparture(database, commit, path)),
      conflictOf: (commit, path) =>
        standing.knowingAtOnce(commit, (database) => queryConflict(database, commit, path)),
    },
    async links(commit, path, signal) {
      const { page, names } = await standing.inSteps(
        commit,
        (database) => linkedSteps(database, path),
        createPacer(signal),
      );
      return linkReport(page, (also) => createLinkResolver([...names.treePaths, ...also], names.aliases));
    },
    everyLink,
    sketches: (commit, folders, signal) =>
      standing.inSteps(commit, (database) => sketchesSteps(database, folders), createPacer(signal)),
    unread: (commit, folders) => standing.at(commit, (database) => queryUnread(database, folders)),
    linksNamed: (commit, names, folders) =>
      standing.inSteps(commit, (database) => linksNamedSteps(database, names, folders), createPacer()),
    namesLike: (commit, names, folders) =>
      standing.at(commit, (database) => queryNamesLike(database, names, folders)),
    pagesNaming: (commit, texts, most) =>
      standing.inSteps(
        commit,
        (database) => pagesNaming(queryWords(database, { prefix: '' }), texts, most),
        createPacer(),
      ),
    files: (commit) => standing.at(commit, queryFiles),
    anchors: (commit, treePaths) => standing.at(commit, (database) => queryAnchors(database, treePaths)),
    names: (commit, folders) => standing.at(commit, (database) => queryNames(database, folders)),

    async search(query) {
      const pacer = createPacer(query.signal);
      if (query.mode === 'regex') {
        const pages = await standing.at(query.commit, (database) => querySearched(database, query));
        return searchPattern(pages, query, await readingAt(query.commit, pacer));
      }
      const wanted = await readWordsQuery(query.query);
      const found = await standing.inSteps(
        query.commit,
        function* (database) {
          const steps = rankPages(queryWords(database, query), wanted, query);
          const { rows, ...rest } = yield* withinTime(steps, pacer);
          return { ...rest, rows: rows.map((row) => ({ ...pageAt(database, row.path), score: row.score })) };
        },
        pacer,
        query.signal,
      );
      return showWords(found, query, await readingAt(query.commit, pacer));
    },
  };
}

/** Takes some milliseconds; a single page may have more. */
const LINKS_AT_ONCE = 1_000;

function pageAt(database: IndexDatabase, path: string) {
  const [page] = querySearched(database, { prefix: '' }, path);
  if (page === undefined) throw new Error(`The index found words on ${path}, which it does not know.`);
  return page;
}
