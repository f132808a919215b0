import type { Oid } from '../contract/ids.ts';
import { liesIn } from '../contract/scope.ts';
import type { HistoryEntry, HistoryQuery } from '../core/index-port.ts';
import type { CommitInfo, Repository } from '../core/ports.ts';
import { createPacer } from './pacer.ts';
import { type Touch, type Touched, touchesOf } from './touches.ts';

/** History from git alone: reads every commit from the newest until it has what was asked for. */
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

/** When each of `paths` was last touched, as of a commit. */
export async function updatesOf(
  repository: Repository,
  commit: Oid,
  paths: ReadonlySet<string>,
): Promise<Map<string, Date>> {
  const updates = new Map<string, Date>();
  const pacer = createPacer();
  for await (const info of repository.log(commit)) {
    for (const { path } of (await touchesOf(repository, info, pacer)).touches) {
      if (paths.has(path) && !updates.has(path)) updates.set(path, info.committed);
    }
    if (updates.size === paths.size) break;
  }
  return updates;
}

function isWanted({ since, until, author }: HistoryQuery, commit: CommitInfo): boolean {
  if (since !== undefined && commit.committed < since) return false;
  if (until !== undefined && commit.committed > until) return false;
  return author === undefined || isAuthor(commit.author, author);
}

function mayConcern(
  { folders }: HistoryQuery,
  { parents }: CommitInfo,
  { touches, otherFiles }: Touched,
): boolean {
  if (folders === undefined || otherFiles || touches.length === 0 || parents.length > 1) return true;
  return touches.some(({ path }) => liesIn(folders, path));
}

/** Whether `part` is part of an author's name or email, in any case. */
export function isAuthor({ name, email }: { name: string; email: string }, part: string): boolean {
  return `${name} <${email}>`.toLowerCase().includes(part.toLowerCase());
}

function entryOf(
  commit: CommitInfo,
  touch: Touch | null,
  touches: readonly Touch[],
  pagesMost: number,
): HistoryEntry {
  const pages = touches.flatMap(({ path, action }) => (action === 'left' ? [] : [{ path, action }]));
  return {
    commit,
    version: touch?.blob ?? null,
    pages: pages.slice(0, pagesMost),
    pagesTotal: pages.length,
  };
}
