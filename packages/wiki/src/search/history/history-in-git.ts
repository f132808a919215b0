import type { Oid } from '../../contract/ids.ts';
import { liesIn } from '../../contract/scope.ts';
import type { CommitInfo, LoggedCommit } from '../../core/commit-info.ts';
import { isWanted } from '../../core/history-filter.ts';
import type { Departure, HistoryEntry, HistoryQuery, Move } from '../../core/index-port.ts';
import type { Repository } from '../../core/ports.ts';
import { createPacer } from '../pacer.ts';
import { type Touch, type Touched, touchesOf } from './touches.ts';

/** History from git alone: reads every commit from the newest on until it has the requested entries. */
export async function scanHistory(
  repository: Repository,
  query: HistoryQuery,
): Promise<{ entries: HistoryEntry[]; more: boolean }> {
  const entries: HistoryEntry[] = [];
  let passed = 0;
  let path = query.path;
  const pacer = createPacer();
  for await (const commit of repository.log(query.commit)) {
    if (path === undefined && !isWanted(query, commit)) continue;
    const touched = await touchesOf(repository, commit, pacer);
    if (!mayConcern(query, commit, touched)) continue;
    const { touches } = touched;
    const touch = path === undefined ? null : touches.find((each) => each.path === path);
    if (touch === undefined) continue;
    path = touch?.origin ?? path;
    if (!isWanted(query, commit)) continue;
    if (passed < query.offset) passed++;
    else if (entries.length < query.limit) entries.push(entryOf(commit, touch, touches, query.pagesMost));
    else return { entries, more: true };
  }
  return { entries, more: false };
}

/**
 * The way in which a page left its path, according to the newest commit that touched it; null if it did not.
 */
export async function scanDeparture(
  repository: Repository,
  commit: Oid,
  path: string,
): Promise<Departure | null> {
  const pacer = createPacer();
  for await (const info of repository.log(commit)) {
    const { touches } = await touchesOf(repository, info, pacer);
    const touch = touches.find((each) => each.path === path);
    if (touch === undefined) continue;
    if (touch.blob !== null) return null;
    const moved = touches.find(({ origin, action }) => origin === path && action === 'moved');
    return { commit: info.oid, movedTo: moved?.path ?? null };
  }
  return null;
}

/** The first move of a page away from its path after the commit `since`. */
export async function scanMoveAfter(
  repository: Repository,
  commit: Oid,
  path: string,
  since: Oid,
): Promise<Move | null> {
  const pacer = createPacer();
  let first: Move | null = null;
  for await (const info of repository.log(commit)) {
    if (info.oid === since) return first;
    const { touches } = await touchesOf(repository, info, pacer);
    const moved = touches.find(({ origin, action }) => origin === path && action === 'moved');
    if (moved !== undefined) first = { commit: info.oid, movedTo: moved.path };
  }
  return null;
}

/** The commit that last touched each of `paths`, as of a commit. */
export async function lastChangesOf(
  repository: Repository,
  commit: Oid,
  paths: ReadonlySet<string>,
): Promise<Map<string, CommitInfo>> {
  const changes = new Map<string, CommitInfo>();
  const pacer = createPacer();
  for await (const info of repository.log(commit)) {
    for (const { path } of (await touchesOf(repository, info, pacer)).touches) {
      if (paths.has(path) && !changes.has(path)) changes.set(path, info);
    }
    if (changes.size === paths.size) break;
  }
  return changes;
}

function mayConcern(
  { folders }: HistoryQuery,
  { parents }: CommitInfo,
  { touches, otherFiles }: Touched,
): boolean {
  if (folders === undefined || otherFiles > 0 || touches.length === 0 || parents.length > 1) return true;
  return touches.some(({ path }) => liesIn(folders, path));
}

function entryOf(
  { marks: _marks, ...commit }: LoggedCommit,
  touch: Touch | null,
  touches: readonly Touch[],
  pagesMost: number,
): HistoryEntry {
  const pages = touches.flatMap(({ path, action }) => (action === 'left' ? [] : [{ path, action }]));
  return {
    commit,
    version: touch?.blob ?? null,
    path: touch?.path ?? null,
    origin: touch?.origin ?? null,
    pages: pages.slice(0, pagesMost),
    pagesTotal: pages.length,
  };
}
