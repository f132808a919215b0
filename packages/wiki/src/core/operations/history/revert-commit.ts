import { WikiError } from '../../../contract/errors.ts';
import type { Oid } from '../../../contract/ids.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { commitNotFound } from '../../commit-info.ts';
import { pagePathOf } from '../../paths/page-path.ts';
import type { FileChange, FileWrite, Snapshot } from '../../ports.ts';
import type { Retargeted } from '../../relinking/relink.ts';
import { describeRetargeted, findRetargeted, lengthOf } from '../../relinking/retargeted.ts';
import { findUndoneMoves } from '../../relinking/undone-moves.ts';
import { countThatFits } from '../../reply-budget.ts';
import type { Session } from '../../session.ts';
import {
  actionOf,
  isSame,
  leftSince,
  nameOf,
  putBack,
  revertMessage,
  type UndoneChange,
} from '../../undoing/restored-files.ts';
import { lastChange } from '../../writing/conflicts.ts';
import { type Apply, type Landed, land, preview } from '../../writing/write.ts';

export async function revertCommit(
  session: Session,
  input: Input<'revert_commit'>,
): Promise<Output<'revert_commit'>> {
  const { repository } = session;
  const commit = await repository.commit(await repository.resolveCommit(input.commit));
  const from = commit.parents[0] ?? null;
  const { files, leavesOut } = await repository.visibleChanges(from, commit.oid);
  // Under a scope, a commit that changed only what lies elsewhere is not there.
  if (leavesOut && files.length === 0) throw commitNotFound(input.commit);
  const changes = await repository.changes(from, commit.oid);
  const apply: Apply = async (base) => ({
    message: input.message ?? revertMessage(commit),
    files: await undo(session, base, commit.oid, changes),
  });
  const landed = input.dry_run
    ? await preview(session, apply)
    : await land(session, 'revert_commit', input, apply);
  const paths = changes.map(({ path }) => path);
  const retargeted = describeRetargeted(landed.changed ? await retargetedBy(session, landed, paths) : []);
  const pages = changes.map((change) => ({ path: nameOf(change), action: actionOf(change) }));
  return {
    reverted: commit.oid,
    commit: landed.commit,
    changed: landed.changed,
    pages: pages.slice(0, countThatFits(pages, lengthOf(retargeted) + 2_000)),
    pages_total: pages.length,
    ...retargeted,
  };
}

async function retargetedBy(
  { index }: Session,
  landed: Pick<Landed, 'before' | 'after'>,
  paths: readonly string[],
): Promise<Retargeted[] | null> {
  return findRetargeted(index, landed, paths, 'given', await findUndoneMoves(landed, paths));
}

/**
 * The changes that restore every file of the commit. Skips files that are restored already; refuses
 * everything if other files are in the way. A page that the commit added and that is gone may not have been
 * reverted: if it moved on, or if the commit moved another page to its path, that page is elsewhere now or
 * was deleted on purpose.
 */
async function undo(
  session: Session,
  base: Snapshot,
  commit: Oid,
  changes: readonly FileChange[],
): Promise<FileWrite[]> {
  const inTheWay: FileChange[] = [];
  const gone: FileChange[] = [];
  const puts: UndoneChange[] = [];
  for (const change of changes) {
    const present = await base.entry(change.path);
    if (isSame(present, change.before)) {
      if (change.before === null && pagePathOf(change.path) !== null) gone.push(change);
    } else if (isSame(present, change.after)) puts.push({ ...change, commit, isInPart: false });
    else inTheWay.push(change);
  }
  inTheWay.push(...(await leftSince(session.index, base, { gone, puts, changes })));
  if (inTheWay.length > 0) throw await changedSince(session, base, commit, inTheWay, changes.length);
  return puts.map(putBack);
}

async function changedSince(
  session: Session,
  base: Snapshot,
  commit: Oid,
  inTheWay: readonly FileChange[],
  total: number,
): Promise<WikiError> {
  const pages = await Promise.all(
    inTheWay.slice(0, pagesNamed).map(async (change) => {
      const path = nameOf(change);
      return { path, ...(await lastChange(session, base, path)) };
    }),
  );
  const named = pages.map(({ path, author, date, commit: later }) =>
    later === undefined
      ? JSON.stringify(path)
      : `${JSON.stringify(path)} (by ${JSON.stringify(author)} at ${date} in commit ${later})`,
  );
  const changed = total === 1 ? 'its only file changed' : `${inTheWay.length} of its ${total} files changed`;
  const more = inTheWay.length > pages.length ? ` and ${inTheWay.length - pages.length} more` : '';
  return new WikiError(
    'version_conflict',
    {
      happened: `Commit ${commit} cannot be undone: ${changed} since: ${named.join(', ')}${more}.`,
      now: 'Nothing was changed.',
      next: 'Undo the later commits first, the newest first, or bring single pages back with restore_page.',
    },
    { commit, pages, pages_total: inTheWay.length },
  );
}

const pagesNamed = 20;
