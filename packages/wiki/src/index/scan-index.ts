import type { Oid } from '../contract/ids.ts';
import { liesIn } from '../contract/scope.ts';
import type { Index, PageRow, PlacedLink } from '../core/index-port.ts';
import { pagePathOf, treePathOf } from '../core/page-path.ts';
import type { Repository, TreeEntry } from '../core/ports.ts';
import { createLinkResolver } from '../core/text/link-resolver.ts';
import { derivePage, type IndexedPage } from './derive.ts';
import { linkReport } from './link-report.ts';
import { createPacer } from './pacer.ts';
import { type PageFilter, tagMatches } from './page-filter.ts';
import { searchPages } from './page-search.ts';
import { scanHistory, updatesOf } from './scan-history.ts';
import { scanWords } from './scan-words.ts';
import { searchPattern, showWords } from './search-lines.ts';
import { compareText } from './text-order.ts';

/**
 * An index that keeps nothing: every answer comes from reading the commit, its pages and its history. It is what
 * answers where SQLite is missing, and what tells whether the one in SQLite is right.
 */
export function scanIndex(repository: Repository): Index {
  async function select(commit: Oid, filter: PageFilter): Promise<ScannedPage[]> {
    return (await scan(repository, commit)).pages.filter((page) => admits(page, filter));
  }

  return {
    seesEveryPage: true,
    catchUp: async () => {},
    save: async () => false,
    count: async (commit) => (await scan(repository, commit)).pages.length,
    paths: async (commit) => (await scan(repository, commit)).pages.map(({ path }) => path),

    async list(query) {
      const pages = (await select(query.commit, query)).sort(orders[query.sort]);
      const shown = pages.slice(query.offset, query.offset + query.limit);
      return { rows: shown.map(rowOf), total: pages.length };
    },

    async search(query) {
      const { pages } = await scan(repository, query.commit);
      const snapshot = await repository.at(query.commit);
      const reading = { blob: (oid: Oid) => snapshot.blob(oid), pacer: createPacer() };
      const shown = new Map(
        pages.filter((page) => admits(page, query)).map((page) => [page.path, searchedOf(page)]),
      );
      if (query.mode === 'regex') return searchPattern([...shown.values()], query, reading);
      const worded = pages.map(({ path, words }) => ({ path, columns: words }));
      const found = searchPages(
        scanWords(worded, query.prefix, (path) => shown.has(path)),
        query.query,
        query,
      );
      const rows = found.rows.flatMap(({ path, score }) => {
        const page = shown.get(path);
        return page === undefined ? [] : [{ ...page, score }];
      });
      return showWords({ ...found, rows }, query, reading);
    },

    history: (query) => scanHistory(repository, query),

    async links(commit, path) {
      const { pages, files } = await scan(repository, commit);
      const page = pages.find((candidate) => candidate.path === path);
      const treePath = page?.treePath ?? files.find((file) => file === path) ?? null;
      const all = linksOf(pages);
      const linked = { path, treePath, own: all.filter(({ from }) => from === treePath), incoming: all };
      return linkReport(linked, (also) =>
        createLinkResolver([...pages.map(({ treePath }) => treePath), ...files, ...also], aliasesOf(pages)),
      );
    },

    everyLink: async (commit, folders = ['']) =>
      linksOf((await scan(repository, commit)).pages.filter(({ path }) => liesIn(folders, path))),

    async names(commit, folders = ['']) {
      const found = await scan(repository, commit);
      const pages = found.pages.filter(({ path }) => liesIn(folders, path));
      const files = found.files.filter((path) => liesIn(folders, path));
      return { treePaths: [...pages.map(({ treePath }) => treePath), ...files], aliases: aliasesOf(pages) };
    },
  };
}

function linksOf(pages: readonly ScannedPage[]): PlacedLink[] {
  return pages.flatMap(({ treePath, facts }) =>
    facts.links.map(({ kind, target, anchor, line }) => ({
      from: treePath,
      line,
      link: { kind, target, anchor },
    })),
  );
}

interface ScannedPage extends IndexedPage {
  updated: Date;
}

/** All pages in the order of their paths, and the tree paths of all other files. */
async function scan(repository: Repository, commit: Oid): Promise<{ pages: ScannedPage[]; files: string[] }> {
  const snapshot = await repository.at(commit);
  const entries = new Map<string, TreeEntry>();
  const files: string[] = [];
  for await (const entry of snapshot.files()) {
    const path = pagePathOf(entry.path);
    if (path === null) files.push(entry.path);
    else if (!entries.has(path) || entry.path === treePathOf(path)) entries.set(path, entry);
  }
  const updates = await updatesOf(repository, commit, new Set(entries.keys()));
  const pages: ScannedPage[] = [];
  for (const [path, entry] of entries) {
    const updated = updates.get(path) ?? new Date(0);
    pages.push({ ...(await derivePage(snapshot, path, entry)), updated });
  }
  return { pages: pages.sort((a, b) => compareText(a.path, b.path)), files };
}

function admits(page: ScannedPage, { prefix, tag, updatedSince }: PageFilter): boolean {
  if (!page.path.startsWith(prefix)) return false;
  if (tag !== undefined && !page.facts.tags.some((each) => tagMatches(each, tag))) return false;
  return updatedSince === undefined || page.updated >= updatedSince;
}

function rowOf({ path, facts, blob, size, updated }: ScannedPage): PageRow {
  return { path, title: facts.title, version: blob, size, updated };
}

function searchedOf({ path, facts, blob, size }: ScannedPage) {
  return { path, title: facts.title, blob, size };
}

const byPath = (a: ScannedPage, b: ScannedPage) => compareText(a.path, b.path);
const titleTerms = ({ words }: ScannedPage) => words.title.join(' ');
const orders = {
  path: byPath,
  updated: (a: ScannedPage, b: ScannedPage) => b.updated.getTime() - a.updated.getTime() || byPath(a, b),
  title: (a: ScannedPage, b: ScannedPage) => compareText(titleTerms(a), titleTerms(b)) || byPath(a, b),
};

function aliasesOf(pages: readonly ScannedPage[]): [alias: string, treePath: string][] {
  return pages.flatMap(({ treePath, facts }) =>
    facts.aliases.map((alias): [string, string] => [alias, treePath]),
  );
}
