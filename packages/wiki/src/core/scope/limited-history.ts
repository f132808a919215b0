import type { Oid } from '../../contract/ids.ts';
import { liesIn } from '../../contract/scope.ts';
import { yieldNowAndThen } from '../../scheduling/yielding.ts';
import { mayNameMore } from '../commit-info.ts';
import { isWanted } from '../history-filter.ts';
import type { HistoryEntry, HistoryQuery, Index } from '../index-port.ts';
import { pagePathOf } from '../paths/page-path.ts';
import type { FileChange, Repository } from '../ports.ts';
import { compareText } from '../text/text-order.ts';

/**
 * The history of the folders. If a commit changed other files as well, only its changes here are shown, and
 * its message is kept back, as it may name the other files.
 */
export async function limitedHistory(
  index: Index,
  repository: Repository,
  folders: readonly string[],
  query: HistoryQuery,
): Promise<{ entries: HistoryEntry[]; more: boolean }> {
  if (query.path !== undefined && !liesIn(folders, query.path)) return { entries: [], more: false };
  const wanted = query.offset + query.limit + 1;
  const { path } = query;
  const found =
    path === undefined ? everyEntry(index, { ...query, folders }) : pageEntries(index, folders, query, path);
  const entries: HistoryEntry[] = [];
  for await (const entry of found) {
    const shown = await limitEntry(index, repository, folders, query.pagesMost, entry);
    if (shown !== null) entries.push(shown);
    if (entries.length === wanted) break;
  }
  return {
    entries: entries.slice(query.offset, query.offset + query.limit),
    more: entries.length > query.offset + query.limit,
  };
}

/**
 * The changes of a page as they would be without the rest of the wiki: a page that came from elsewhere was added, and
 * its history goes on with that of the page that had its path before, if there was one.
 */
async function* pageEntries(
  index: Index,
  folders: readonly string[],
  query: HistoryQuery,
  path: string,
): AsyncGenerator<HistoryEntry> {
  // The commit that brought the page may be one that the caller does not ask for.
  const everything = { ...query, since: undefined, until: undefined, author: undefined, agent: undefined };
  let place: { commit: Oid; path: string } | null = { commit: query.commit, path };
  while (place !== null) {
    let at: string = place.path;
    const entries: AsyncGenerator<HistoryEntry> = everyEntry(index, { ...everything, ...place });
    place = null;
    for await (const entry of entries) {
      if (isWanted(query, entry.commit)) yield entry;
      if (entry.origin !== null && !liesIn(folders, entry.origin)) {
        const [parent] = entry.commit.parents;
        if (parent !== undefined) place = { commit: parent, path: at };
        break;
      }
      at = entry.origin ?? at;
    }
  }
}

/** The entries from the newest on, without the query's window, with all their pages. */
async function* everyEntry(index: Index, query: HistoryQuery): AsyncGenerator<HistoryEntry> {
  for (let offset = 0; ; offset += BATCH) {
    const batch = await index.history({ ...query, offset, limit: BATCH, pagesMost: ALL });
    yield* batch.entries;
    if (!batch.more) return;
  }
}

const BATCH = 200;
/** Pages of one commit. */
const ALL = 1_000_000;

/** Null if the commit changed nothing in the folders. */
async function limitEntry(
  index: Index,
  repository: Repository,
  folders: readonly string[],
  pagesMost: number,
  entry: HistoryEntry,
): Promise<HistoryEntry | null> {
  const { commit } = entry;
  const { files, others } = await repository.everyChange(commit.parents[0] ?? null, commit.oid);
  const here = files.filter((change) => liesIn(folders, change.path));
  if (here.length === 0) return null;
  const origin = entry.origin !== null && liesIn(folders, entry.origin) ? entry.origin : null;
  if (here.length === files.length && others.every((path) => liesIn(folders, path))) {
    return { ...entry, origin, commit: withoutForeignText(commit), pages: entry.pages.slice(0, pagesMost) };
  }
  const pages = await pagesHere(index, folders, entry, here);
  return {
    commit: { ...commit, message: MESSAGE_KEPT_BACK },
    version: entry.version,
    path: entry.path,
    origin,
    pages: pages.slice(0, pagesMost),
    pagesTotal: pages.length,
  };
}

/**
 * The pages of a commit that changed others as well. A page moved if it came from a page here. One that came from
 * elsewhere was added, and one that went there was deleted.
 */
async function pagesHere(
  index: Index,
  folders: readonly string[],
  { commit, pages }: HistoryEntry,
  here: readonly FileChange[],
): Promise<HistoryEntry['pages']> {
  const found = new Map(here.flatMap(pageOf).map((page) => [page.path, page]));
  for (const [position, page] of pages.entries()) {
    if (page.action !== 'moved' || !found.has(page.path)) continue;
    await yieldNowAndThen(position);
    const touched = { commit: commit.oid, path: page.path, offset: 0, limit: 1, pagesMost: 0 };
    const { entries } = await index.history(touched);
    const origin = entries[0]?.origin ?? null;
    if (origin === null || !liesIn(folders, origin)) continue;
    found.delete(origin);
    found.set(page.path, page);
  }
  return [...found.values()].sort((a, b) => compareText(a.path, b.path));
}

/**
 * The message of a commit that changed nothing elsewhere may still name files of a push that it did not bring in, and
 * `git revert` quotes it. A merge may name changes of its other side.
 */
function withoutForeignText(commit: HistoryEntry['commit']): HistoryEntry['commit'] {
  return mayNameMore(commit) ? { ...commit, message: FOREIGN_KEPT_BACK } : commit;
}

const FOREIGN_KEPT_BACK = '(Kept back: the commit brings in what git pushed.)';
const MESSAGE_KEPT_BACK = '(Kept back: the commit changed more than what may be seen from here.)';

function pageOf({ path, before, after }: FileChange): HistoryEntry['pages'] {
  const page = pagePathOf(path);
  if (page === null) return [];
  if (after === null) return [{ path: page, action: 'deleted' }];
  return [{ path: page, action: before === null ? 'added' : 'modified' }];
}
