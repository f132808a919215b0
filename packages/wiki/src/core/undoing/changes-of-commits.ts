import { throwIfCancelled } from '../../contract/errors.ts';
import type { Oid } from '../../contract/ids.ts';
import { MAX_UNDONE_FILES } from '../../contract/operations/batches.ts';
import { liesIn } from '../../contract/scope.ts';
import type { CommitInfo } from '../commit-info.ts';
import type { FileChange, Snapshot } from '../ports.ts';
import { requireChangeable } from '../scope/refusals.ts';
import type { Session } from '../session.ts';
import { followMoves } from './follow-moves.ts';
import { isSame, type UndoneChange } from './restored-files.ts';
import { tooMany } from './select-commits.ts';

export interface UndoneChanges {
  /**
   * The changes of each file, newest first, by the tree path at which they are taken back. Those that follow each
   * other directly are one.
   */
  byPath: Map<string, UndoneChange[]>;
  /** The commits that have changes here. */
  commits: CommitInfo[];
  /** Those that also changed files which the caller may not see or change. */
  inPart: Set<Oid>;
  /** True if files that the caller may not see or change stay as they are. */
  leavesOutFiles: boolean;
}

/** The changes by these commits. Throws `too_large`, and `forbidden` if none of them may be changed by the caller. */
export async function changesOf(
  session: Session,
  commits: readonly CommitInfo[],
  base: Snapshot,
): Promise<UndoneChanges> {
  const { index, call } = session;
  // Here a long build reports its progress and can be cancelled, which the questions about moves cannot.
  if (base.commit !== null) await index.catchUp(base.commit, call.progress, call.signal);
  const placeOf = followMoves(session, base, commits);
  const found: UndoneChanges = { byPath: new Map(), commits: [], inPart: new Set(), leavesOutFiles: false };
  const refused: string[] = [];
  for (const commit of commits) {
    throwIfCancelled(call.signal);
    const { changes, outside, isInPart } = await changesHere(session, commit);
    refused.push(...outside);
    if (isInPart) found.leavesOutFiles = true;
    if (isInPart && changes.length === 0) continue;
    found.commits.push(commit);
    if (isInPart) found.inPart.add(commit.oid);
    for (const change of changes) {
      const place = await placeOf(change, commit.oid);
      addChange(found.byPath, place, { ...change, commit: commit.oid, isInPart });
    }
    if (found.byPath.size > MAX_UNDONE_FILES) {
      throw tooMany(`changes of more than ${MAX_UNDONE_FILES} files`);
    }
  }
  if (call.scope !== undefined && found.commits.length === 0) requireChangeable(call.scope, refused);
  return found;
}

/** Those that follow each other are taken back in one step: a part of the steps may be undone already. */
function addChange(byPath: Map<string, UndoneChange[]>, place: string, change: UndoneChange): void {
  const changes = byPath.get(place) ?? [];
  const newer = changes.at(-1);
  if (newer !== undefined && isSame(newer.before, change.after)) {
    newer.before = change.before;
    newer.isInPart = change.isInPart;
  } else changes.push(change);
  byPath.set(place, changes);
}

/** The changes of a commit that the caller may take back, and the paths of those that can only be read. */
async function changesHere({ repository, call: { scope } }: Session, { oid, parents }: CommitInfo) {
  const { files, leavesOut } = await repository.visibleChanges(parents[0] ?? null, oid);
  if (scope === undefined) return { changes: files, outside: [], isInPart: false };
  // Under a scope, only versions of pages that were examined can be read.
  await examine(repository, [oid, ...parents], files);
  const changes = files.filter(({ path }) => liesIn(scope.write, path));
  const outside = files.map(({ path }) => path).filter((path) => !liesIn(scope.write, path));
  return { changes, outside, isInPart: leavesOut || outside.length > 0 };
}

async function examine(
  repository: Session['repository'],
  commits: readonly Oid[],
  changes: readonly FileChange[],
): Promise<void> {
  for (const commit of commits) {
    const snapshot = await repository.at(commit);
    for (const { path } of changes) await snapshot.entry(path);
  }
}
