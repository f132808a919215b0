import type { Oid } from '../contract/ids.ts';
import { liesIn } from '../contract/scope.ts';
import type { CommitInfo } from '../core/commit-info.ts';
import { isWanted } from '../core/history-filter.ts';
import type { Index, PageFilter, PageRow, PlacedLink, SketchedPage } from '../core/index-port.ts';
import { isHidden, pagePathOf, treePathOf } from '../core/paths/page-path.ts';
import type { Repository, TreeEntry } from '../core/ports.ts';
import { supersededBy } from '../core/text/frontmatter/frontmatter.ts';
import { nameKey, nameKeysOf } from '../core/text/links/link-names.ts';
import { linkReport } from '../core/text/links/link-report.ts';
import { createLinkResolver } from '../core/text/links/link-resolver.ts';
import { compareText } from '../core/text/text-order.ts';
import { inTurns } from '../scheduling/in-turns.ts';
import { anchorsOf, derivePage, described, type IndexedPage } from './derive.ts';
import { scanConflicts } from './history/conflicts-in-git.ts';
import { lastChangesOf, scanDeparture, scanHistory, scanMoveAfter } from './history/history-in-git.ts';
import { leavesLinksOut, leftOut } from './links/left-out.ts';
import { createPacer, paced } from './pacer.ts';
import { readUnlessTooLarge } from './read-unless-too-large.ts';
import { propertyMatches, tagMatches } from './sqlite/page-filter.ts';
import { scanWords } from './words/match-in-memory.ts';
import { pagesNaming } from './words/pages-naming.ts';
import { rankPages } from './words/rank-pages.ts';
import { searchPattern, showWords } from './words/show-lines.ts';
import { fold } from './words/terms.ts';
import { readWordsQuery } from './words/words-query.ts';

/**
 * An index that stores nothing: every answer comes from reading the commit, its pages and its history. It
 * answers if SQLite is missing, and is the reference for tests of the SQLite index.
 */
export function scanIndex(repository: Repository): Index {
  async function select(commit: Oid, filter: PageFilter): Promise<ScannedPage[]> {
    return (await scan(repository, commit)).pages.filter((page) => admits(page, filter));
  }

  return {
    seesEveryPage: true,
    catchUp: async () => {},
    standAt: async () => {},
    save: async () => false,
    count: async (commit) => (await scan(repository, commit)).pages.length,
    paths: async (commit) => (await scan(repository, commit)).pages.map(({ path }) => path),

    async list(query) {
      const pages = (await select(query.commit, query)).sort(orders[query.sort]);
      const shown = pages.slice(query.offset, query.offset + query.limit);
      return { rows: shown.map(rowOf), total: pages.length };
    },

    async search(query) {
      const { folders = [''] } = query;
      const pages = (await scan(repository, query.commit)).pages.filter(({ path }) => liesIn(folders, path));
      const snapshot = await repository.at(query.commit);
      const reading = {
        blob: async (oid: Oid) => (await readUnlessTooLarge(snapshot, oid)) ?? new Uint8Array(),
        pacer: createPacer(query.signal),
      };
      const shown = new Map(
        pages.filter((page) => admits(page, query)).map((page) => [page.path, searchedOf(page)]),
      );
      if (query.mode === 'regex') return searchPattern([...shown.values()], query, reading);
      const matcher = scanWords(wordedPages(pages), query.prefix, (path) => shown.has(path));
      const steps = rankPages(matcher, await readWordsQuery(query.query), query);
      const found = await paced(steps, reading.pacer);
      const rows = found.rows.flatMap(({ path, score }) => {
        const page = shown.get(path);
        return page === undefined ? [] : [{ ...page, score }];
      });
      return showWords({ ...found, rows }, query, reading);
    },

    async tags({ commit, folders = [''], offset, limit }) {
      const { pages } = await scan(repository, commit);
      const seen = pages.filter(({ path }) => liesIn(folders, path) && !isHidden(path));
      const tags = seen.flatMap(({ facts }) => [...new Set(facts.tags.map(fold))]);
      const counts = Map.groupBy(tags, (tag) => tag);
      const rows = [...counts]
        .map(([tag, { length }]) => ({ tag, pages: length }))
        .sort((a, b) => compareText(a.tag, b.tag));
      return { rows: rows.slice(offset, offset + limit), total: rows.length };
    },

    history: (query) => scanHistory(repository, query),
    departure: (commit, path) => scanDeparture(repository, commit, path),
    moveAfter: (commit, path, since) => scanMoveAfter(repository, commit, path, since),
    conflicts: (commit, folders) => scanConflicts(repository, commit, folders),
    async conflictOf(commit, path) {
      const open = await scanConflicts(repository, commit);
      return open.find((conflict) => conflict.path === path)?.merge ?? null;
    },
    atOnce: {
      departure: (commit, path) => scanDeparture(repository, commit, path),
      // Every read of a page would read the whole history.
      conflictOf: async () => null,
    },

    async links(commit, path) {
      const { pages, files } = await scan(repository, commit);
      const page = pages.find((candidate) => candidate.path === path);
      const treePath = page?.treePath ?? files.find((file) => file === path) ?? null;
      const all = linksOf(pages);
      const leavesOutLinks =
        page !== undefined && leavesLinksOut(leftOut(page.facts.linkCount, 0, page.size));
      const linked = {
        path,
        treePath,
        leavesOutLinks,
        own: all.filter(({ from }) => from === treePath),
        incoming: all,
      };
      return linkReport(linked, (also) =>
        createLinkResolver([...pages.map(({ treePath }) => treePath), ...files, ...also], aliasesOf(pages)),
      );
    },

    everyLink: async (commit, folders = ['']) =>
      linksOf((await scan(repository, commit)).pages.filter(({ path }) => liesIn(folders, path))),

    async sketches(commit, folders = ['']) {
      const { pages } = await scan(repository, commit);
      return pages.filter(({ path, sketch }) => liesIn(folders, path) && sketch.length > 0).map(sketchedOf);
    },

    async unread(commit, folders = ['']) {
      const { pages } = await scan(repository, commit);
      return pages.flatMap(({ path, facts, size }) => {
        const left = leftOut(facts.linkCount, facts.tagCount, size);
        const frontmatterProblem = described(facts.frontmatterProblem);
        const isRead = !leavesLinksOut(left) && left.tagsLeftOut === 0 && frontmatterProblem === null;
        return isRead || !liesIn(folders, path) ? [] : [{ path, frontmatterProblem, ...left }];
      });
    },

    async linksNamed(commit, names, folders = ['']) {
      const wanted = new Set(names);
      const { pages, shadows } = await scan(repository, commit);
      const links = linksOf([...pages, ...shadows].filter(({ path }) => liesIn(folders, path)));
      return links.filter(({ link }) => nameKeysOf(link).some((name) => wanted.has(name)));
    },

    async namesLike(commit, names, folders = ['']) {
      const wanted = new Set(names);
      const isWanted = (name: string) => wanted.has(nameKey(name));
      const found = await scan(repository, commit);
      const pages = found.pages.filter(({ path }) => liesIn(folders, path));
      const files = found.files.filter((path) => liesIn(folders, path));
      return {
        treePaths: [...pages.map(({ treePath }) => treePath), ...files].filter(isWanted),
        aliases: aliasesOf(pages).filter(([alias]) => isWanted(alias)),
      };
    },

    async pagesNaming(commit, texts, most) {
      const { pages } = await scan(repository, commit);
      return inTurns(
        pagesNaming(
          scanWords(wordedPages(pages), '', () => true),
          texts,
          most,
        ),
      );
    },

    files: async (commit) => (await scan(repository, commit)).files,

    async anchors(commit, treePaths) {
      const wanted = new Set(treePaths);
      const pages = (await scan(repository, commit)).pages.filter(({ treePath }) => wanted.has(treePath));
      return new Map(pages.map(({ treePath, facts }) => [treePath, anchorsOf(facts)]));
    },

    async names(commit, folders = ['']) {
      const found = await scan(repository, commit);
      const pages = found.pages.filter(({ path }) => liesIn(folders, path));
      const files = found.files.filter((path) => liesIn(folders, path));
      return { treePaths: [...pages.map(({ treePath }) => treePath), ...files], aliases: aliasesOf(pages) };
    },
  };
}

function wordedPages(pages: readonly IndexedPage[]) {
  return pages.map(({ path, blob, facts, words, language }) => {
    const { title, aliases } = facts;
    return { path, version: blob, title, aliases, language, columns: words };
  });
}

function linksOf(pages: readonly IndexedPage[]): PlacedLink[] {
  return pages.flatMap(({ treePath, facts }) =>
    facts.links.map(({ kind, target, query, anchor, line }) => ({
      from: treePath,
      line,
      link: { kind, target, query, anchor },
    })),
  );
}

interface ScannedPage extends IndexedPage {
  updated: Date;
  lastChange: CommitInfo | undefined;
}

interface Scanned {
  /** Sorted by path. */
  pages: ScannedPage[];
  /** Files hidden by a page of the same path in another Unicode form. */
  shadows: IndexedPage[];
  /** The tree paths of all other files. */
  files: string[];
}

async function scan(repository: Repository, commit: Oid): Promise<Scanned> {
  const snapshot = await repository.at(commit);
  const entries = new Map<string, TreeEntry>();
  const hidden: [path: string, entry: TreeEntry][] = [];
  const files: string[] = [];
  for await (const entry of snapshot.files()) {
    const path = pagePathOf(entry.path);
    if (path === null) {
      files.push(entry.path);
      continue;
    }
    const other = entries.get(path);
    const isShown = other === undefined || entry.path === treePathOf(path);
    if (isShown) entries.set(path, entry);
    if (other !== undefined) hidden.push([path, isShown ? other : entry]);
  }
  const changes = await lastChangesOf(repository, commit, new Set(entries.keys()));
  const pages: ScannedPage[] = [];
  for (const [path, entry] of entries) {
    const lastChange = changes.get(path);
    const updated = lastChange?.committed ?? new Date(0);
    pages.push({ ...(await derivePage(snapshot, path, entry)), updated, lastChange });
  }
  const shadows: IndexedPage[] = [];
  for (const [path, entry] of hidden) shadows.push(await derivePage(snapshot, path, entry));
  return { pages: pages.sort((a, b) => compareText(a.path, b.path)), shadows, files };
}

function admits(page: ScannedPage, filter: PageFilter): boolean {
  const { prefix, tag, updatedSince, updatedUntil, property, withoutHidden } = filter;
  if (!page.path.startsWith(prefix)) return false;
  if (tag !== undefined && !page.facts.tags.some((each) => tagMatches(each, tag))) return false;
  if (property !== undefined && !propertyMatches(page.facts.frontmatter, property)) return false;
  if (withoutHidden && isHidden(page.path)) return false;
  if (!isBy(page, filter)) return false;
  if (updatedSince !== undefined && page.updated < updatedSince) return false;
  return updatedUntil === undefined || page.updated <= updatedUntil;
}

function isBy({ lastChange }: ScannedPage, { author, agent }: PageFilter): boolean {
  if (author === undefined && agent === undefined) return true;
  return lastChange !== undefined && isWanted({ author, agent }, lastChange);
}

function rowOf({ path, facts, blob, size, updated }: ScannedPage): PageRow {
  return {
    path,
    title: facts.title,
    version: blob,
    size,
    updated,
    supersededBy: supersededBy(facts.frontmatter),
  };
}

function searchedOf({ path, facts, blob, size }: ScannedPage) {
  return { path, title: facts.title, blob, size, supersededBy: supersededBy(facts.frontmatter) };
}

function sketchedOf({ path, sketch }: ScannedPage): SketchedPage {
  return { path, sketch };
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
