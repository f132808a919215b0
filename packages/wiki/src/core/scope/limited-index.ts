import type { Oid } from '../../contract/ids.ts';
import { liesIn, type Scope } from '../../contract/scope.ts';
import type { Index, PageLinks, PageRow, SearchHit, Window } from '../index-port.ts';
import { pagePathOf, treePathOf } from '../page-path.ts';
import type { Repository, TreeEntry } from '../ports.ts';
import { createLinkResolver } from '../text/link-resolver.ts';
import { limitedHistory } from './limited-history.ts';
import type { ReadableBlobs } from './limited-snapshot.ts';

/**
 * The same index for one call that is limited to parts of the wiki. Links are made out anew among what the call may
 * know of, so that a link to elsewhere looks as one to nowhere does.
 */
export function limitIndex(base: Index, repository: Repository, scope: Scope, blobs: ReadableBlobs): Index {
  const folders = outermost(scope.read);
  const names = (commit: Oid) => base.names(commit, folders);
  const everyLink = (commit: Oid) => base.everyLink(commit, folders);

  /** As for the whole wiki, from each folder as many rows as the answer could need. */
  async function gather<Row>(
    query: { prefix: string; offset: number; limit: number },
    ask: (part: { prefix: string; offset: number; limit: number }) => Promise<Window<Row>>,
    compare: (a: Row, b: Row) => number,
  ): Promise<Window<Row>> {
    const prefixes = folders.flatMap((folder) => meet(folder, query.prefix) ?? []);
    const most = query.offset + query.limit;
    const windows = await Promise.all(
      prefixes.map((prefix) => ask({ ...query, prefix, offset: 0, limit: most })),
    );
    const rows = merged(
      windows.map((window) => window.rows),
      compare,
      most,
    );
    const total = windows.reduce((sum, window) => sum + window.total, 0);
    return { rows: rows.slice(query.offset, most), total };
  }

  return {
    seesEveryPage: false,
    // Its progress would tell how much there is in the whole wiki.
    catchUp: (commit, _progress, signal) => base.catchUp(commit, undefined, signal),
    save: (commit, signal) => base.save(commit, signal),
    async count(commit) {
      const all = { commit, prefix: '', sort: 'path', offset: 0, limit: 1 } as const;
      return (await gather(all, (part) => base.list({ ...all, ...part }), byPath)).total;
    },
    paths: async (commit) => (await base.paths(commit)).filter((path) => liesIn(folders, path)),
    async list(query) {
      const found = await gather(query, (part) => base.list({ ...query, ...part }), orders[query.sort]);
      for (const row of found.rows) blobs.add(fileOf(row));
      return found;
    },
    async search(query) {
      const found = await gather(query, (part) => base.search({ ...query, ...part }), byScore);
      // A score weighs words by all the pages of the wiki; told here is the order alone.
      const rows = found.rows.map((hit, row) => ({ ...hit, score: 1 / (1 + query.offset + row) }));
      return { ...found, rows };
    },
    history: (query) => limitedHistory(base, repository, folders, query),
    everyLink,
    names,
    async links(commit, path) {
      const { treePaths, aliases } = await names(commit);
      const links = await everyLink(commit);
      return linksOf(path, treePaths, links, (also) => createLinkResolver([...treePaths, ...also], aliases));
    },
  };
}

/** The first rows of lists that are each in order. A list stays as it is, whatever the order of its rows is. */
function merged<Row>(lists: readonly Row[][], compare: (a: Row, b: Row) => number, most: number): Row[] {
  const left = lists.filter((list) => list.length > 0).map((rows) => ({ rows, next: 0 }));
  const first = ({ rows, next }: (typeof left)[number]) => rows[next] as Row;
  const result: Row[] = [];
  while (left.length > 0 && result.length < most) {
    const best = left.reduce((one, other) => (compare(first(other), first(one)) < 0 ? other : one));
    result.push(first(best));
    best.next += 1;
    if (best.next === best.rows.length) left.splice(left.indexOf(best), 1);
  }
  return result;
}

/** What get_links tells, as the index does for a whole wiki. */
function linksOf(
  path: string,
  treePaths: readonly string[],
  all: Awaited<ReturnType<Index['everyLink']>>,
  resolverWith: (also: readonly string[]) => ReturnType<typeof createLinkResolver>,
): PageLinks {
  const present = treePaths.find((each) => each === path || pagePathOf(each) === path);
  const wanted = present ?? treePathOf(path);
  const resolver = resolverWith([]);
  const imagined = present === undefined ? resolverWith([wanted]) : resolver;
  const targets = new Set<string>();
  const broken: PageLinks['broken'] = [];
  const linkedFrom: PageLinks['linkedFrom'] = [];
  for (const { from, line, link } of all) {
    const found = resolver.resolve(link, from);
    if (from === wanted) {
      if (found === null) broken.push({ target: link.target, line });
      else if (found.by !== 'self') targets.add(found.path);
    } else if (present !== undefined || found === null) {
      const led = present === undefined ? imagined.resolve(link, from) : found;
      if (led?.path === wanted) linkedFrom.push({ path: pagePathOf(from) ?? from, line });
    }
  }
  return {
    linksTo: [...targets].flatMap((each) => pagePathOf(each) ?? []).sort(),
    files: [...targets].filter((each) => pagePathOf(each) === null).sort(),
    linkedFrom,
    broken,
  };
}

/** Without those that lie in another one, so that no page is counted twice. */
function outermost(folders: readonly string[]): string[] {
  const each = [...new Set(folders)];
  return each.filter((folder) => !each.some((other) => other !== folder && folder.startsWith(other)));
}

/** What begins with both, or null. */
function meet(folder: string, prefix: string): string | null {
  const normal = prefix.normalize('NFC');
  if (folder.startsWith(normal)) return folder;
  return normal.startsWith(folder) ? prefix : null;
}

function fileOf({ path, version }: PageRow): TreeEntry {
  return { path: treePathOf(path), oid: version, mode: '100644' };
}

const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);
const byScore = (a: SearchHit, b: SearchHit) => b.score - a.score || byPath(a, b);
const orders = {
  path: byPath,
  updated: (a: PageRow, b: PageRow) => b.updated.getTime() - a.updated.getTime() || byPath(a, b),
  title: (a: PageRow, b: PageRow) => a.title.localeCompare(b.title, 'en') || byPath(a, b),
};
