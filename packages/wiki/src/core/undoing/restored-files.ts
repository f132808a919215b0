import type { Oid } from '../../contract/ids.ts';
import { BROUGHT_IN, type CommitInfo, mayNameMore } from '../commit-info.ts';
import type { Index } from '../index-port.ts';
import { fateOf } from '../pages/find-page.ts';
import { pagePathOf } from '../paths/page-path.ts';
import type { FileChange, FileWrite, Snapshot, TreeEntry } from '../ports.ts';

/** A change that an undo takes back, with its commit. */
export interface UndoneChange extends FileChange {
  commit: Oid;
  /** True if the commit also changed files that the caller may not see or change. */
  isInPart: boolean;
}

/**
 * The pages that the undone commits added and that moved on since: their text lies elsewhere, or came from a
 * page to restore.
 */
export async function leftSince(
  index: Index,
  base: Snapshot,
  {
    gone,
    puts,
    changes,
  }: { gone: readonly FileChange[]; puts: readonly UndoneChange[]; changes: readonly FileChange[] },
): Promise<FileChange[]> {
  if (base.commit === null || gone.length === 0) return [];
  // Otherwise a new index would be built as of an undone commit first.
  await index.catchUp(base.commit);
  const places = new Set(changes.flatMap(({ path, before }) => (before === null ? [] : [nameOf({ path })])));
  const moved = new Set<string>();
  for (const { path, after, commit } of puts) {
    const left = after === null ? await index.departure(commit, nameOf({ path })) : null;
    if (left?.movedTo != null) moved.add(left.movedTo);
  }
  const left: FileChange[] = [];
  for (const change of gone) {
    const path = nameOf(change);
    const fate = moved.has(path) ? null : await fateOf(index, base.commit, path);
    const isElsewhere = fate !== null && fate.movedTo !== null && !places.has(fate.movedTo);
    if (moved.has(path) || isElsewhere) left.push(change);
  }
  return left;
}

export function putBack({ path, before }: FileChange): FileWrite {
  return before === null ? { path, remove: true } : { path, oid: before.oid, mode: before.mode };
}

export function isSame(one: TreeEntry | null, other: TreeEntry | null): boolean {
  return one?.oid === other?.oid && one?.mode === other?.mode;
}

export function nameOf({ path }: Pick<FileChange, 'path'>): string {
  return pagePathOf(path) ?? path;
}

/** The effect of undoing a change. */
export function actionOf({
  before,
  after,
}: Pick<FileChange, 'before' | 'after'>): 'added' | 'modified' | 'deleted' {
  if (before === null) return 'deleted';
  return after === null ? 'added' : 'modified';
}

/** The message of a commit that undoes one. */
export function revertMessage(commit: CommitInfo): string {
  return `Revert "${subjectOf(commit)}"\n\nThis reverts commit ${commit.oid}.`;
}

/**
 * The first line of a commit's message. A commit that git pushed, as every merge was, may name any path of
 * the wiki. The report of the undoing is also shown to callers who may not see that path.
 */
export function subjectOf(commit: CommitInfo): string {
  if (mayNameMore(commit)) return BROUGHT_IN.slice(0, -1);
  return (commit.message.split('\n', 1)[0] ?? '').slice(0, 200).toWellFormed();
}
