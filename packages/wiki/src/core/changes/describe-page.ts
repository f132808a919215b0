import type { Oid } from '../../contract/ids.ts';
import type { Output } from '../../contract/operations.ts';
import { summaryOf } from '../commit-info.ts';
import type { HistoryEntry, Index } from '../index-port.ts';
import { pagePathOf } from '../paths/page-path.ts';
import type { FileChange } from '../ports.ts';
import type { Session } from '../session.ts';
import type { Difference, PageTexts, Range } from './compare-texts.ts';

type PageChange = Output<'show_changes'>['pages'][number];

/** Describes what became of a page between two commits, who did so, and why, without the diff. */
export async function describePage(
  { index }: Session,
  range: Range,
  { path: treePath, before, after }: FileChange,
  isOneCommit: boolean,
): Promise<{ facts: Omit<PageChange, keyof Difference>; texts: PageTexts }> {
  const path = pagePathOf(treePath) ?? treePath;
  // The former path of a new page may be many commits back.
  const limit = before === null ? MAX_READ : MAX_COMMITS + 1;
  const { entries } = await index.history({ commit: range.to ?? '', path, offset: 0, limit, pagesMost: 0 });
  const { news, former } = isOneCommit
    ? { news: entries.slice(0, 1), former: entries[0]?.origin ?? null }
    : await newsIn(index, range.from, entries);
  const previous = former === path ? null : former;
  const left = after === null ? await index.departure(range.to ?? '', path) : null;
  const movedTo = left?.movedTo ?? null;
  return {
    facts: {
      path,
      action: previous !== null || movedTo !== null ? 'moved' : actionOf(before, after),
      previous_path: previous,
      moved_to: movedTo,
      commits: news.slice(0, MAX_COMMITS).map(({ commit }) => summaryOf(commit, MAX_MESSAGE)),
      more_commits: news.length > MAX_COMMITS,
    },
    texts: {
      before: previous !== null ? `${previous}.md` : before === null ? null : treePath,
      after: after === null ? null : treePath,
    },
  };
}

/** A page that changed more often has its newest ones. */
const MAX_COMMITS = 5;
const MAX_READ = 200;

/**
 * The entries of a page, newest first, that are newer than `from`, and its path as of then; null if it was not there. Of
 * each path that the page had, the newest commit as of `from` is known.
 */
async function newsIn(
  index: Index,
  from: Oid | null,
  entries: readonly HistoryEntry[],
): Promise<{ news: readonly HistoryEntry[]; former: string | null }> {
  const known = new Map<string, Oid | null>();
  for (const [at, { commit, path, version }] of entries.entries()) {
    if (path === null || from === null) continue;
    if (!known.has(path)) known.set(path, await newestAsOf(index, from, path));
    if (commit.oid === known.get(path)) {
      return { news: entries.slice(0, at), former: version === null ? null : path };
    }
  }
  return { news: entries, former: null };
}

async function newestAsOf(index: Index, commit: Oid, path: string): Promise<Oid | null> {
  const { entries } = await index.history({ commit, path, offset: 0, limit: 1, pagesMost: 0 });
  return entries[0]?.commit.oid ?? null;
}

function actionOf(before: unknown, after: unknown): PageChange['action'] {
  if (before === null) return 'added';
  return after === null ? 'deleted' : 'modified';
}

const MAX_MESSAGE = 300;
