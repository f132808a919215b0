import { liesIn } from '../../contract/scope.ts';
import type { HistoryEntry, HistoryQuery, Index } from '../index-port.ts';
import { pagePathOf } from '../page-path.ts';
import { BROUGHT_IN, type FileChange, type Repository } from '../ports.ts';

/**
 * The history of what lies in the folders. A commit that changed other files as well is told by what it did here, and
 * its message, which may name them, is kept back.
 */
export async function limitedHistory(
  index: Index,
  repository: Repository,
  folders: readonly string[],
  query: HistoryQuery,
): Promise<{ entries: HistoryEntry[]; more: boolean }> {
  if (query.path !== undefined && !liesIn(folders, query.path)) return { entries: [], more: false };
  const wanted = query.offset + query.limit + 1;
  const entries: HistoryEntry[] = [];
  const asked = { ...query, ...(query.path === undefined && { folders }), limit: BATCH, pagesMost: ALL };
  for (let offset = 0; entries.length < wanted; offset += BATCH) {
    const batch = await index.history({ ...asked, offset });
    for (const entry of batch.entries) {
      if (entries.length === wanted) break;
      const shown = await limitEntry(repository, folders, query, entry);
      if (shown !== null) entries.push(shown);
    }
    if (!batch.more) break;
  }
  return {
    entries: entries.slice(query.offset, query.offset + query.limit),
    more: entries.length > query.offset + query.limit,
  };
}

const BATCH = 200;
/** Pages of one commit. */
const ALL = 1_000_000;

/** Null where the commit did nothing in the folders, or nothing to the page that is asked for. */
async function limitEntry(
  repository: Repository,
  folders: readonly string[],
  { path, pagesMost }: HistoryQuery,
  entry: HistoryEntry,
): Promise<HistoryEntry | null> {
  const { commit } = entry;
  const changes = await repository.changes(commit.parents[0] ?? null, commit.oid);
  const here = changes.filter((change) => liesIn(folders, change.path));
  if (here.length === 0) return null;
  // Before it came here the page was elsewhere, with versions that are nobody's business.
  if (path !== undefined && !here.some(({ after }) => (after?.oid ?? null) === entry.version)) return null;
  if (here.length === changes.length) {
    return { ...entry, commit: withoutForeignText(commit), pages: entry.pages.slice(0, pagesMost) };
  }
  const pages = here.flatMap(pageOf);
  return {
    commit: { ...commit, message: MESSAGE_KEPT_BACK },
    version: entry.version,
    pages: pages.slice(0, pagesMost),
    pagesTotal: pages.length,
  };
}

/**
 * The message of a commit that changed nothing elsewhere may still name what git pushed there in vain, and `git revert`
 * quotes it. A merge may name what its other side did.
 */
function withoutForeignText(commit: HistoryEntry['commit']): HistoryEntry['commit'] {
  const mayNameMore = commit.parents.length > 1 || commit.message.includes(BROUGHT_IN);
  return mayNameMore ? { ...commit, message: FOREIGN_KEPT_BACK } : commit;
}

const FOREIGN_KEPT_BACK = '(Kept back: the commit brings in what git pushed.)';
const MESSAGE_KEPT_BACK = '(Kept back: the commit changed more than what this server is limited to.)';

function pageOf({ path, before, after }: FileChange): HistoryEntry['pages'] {
  const page = pagePathOf(path);
  if (page === null) return [];
  if (after === null) return [{ path: page, action: 'deleted' }];
  return [{ path: page, action: before === null ? 'added' : 'modified' }];
}
