import { WikiError } from '../../../contract/errors.ts';
import type { Oid } from '../../../contract/ids.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { BROUGHT_IN, type CommitInfo, mayNameMore } from '../../commit-info.ts';
import { fateOf } from '../../pages/find-page.ts';
import { pagePathOf } from '../../paths/page-path.ts';
import type { FileChange, FileWrite, Snapshot, TreeEntry } from '../../ports.ts';
import type { Retargeted } from '../../relinking/relink.ts';
import { describeRetargeted, findRetargeted, lengthOf } from '../../relinking/retargeted.ts';
import { findUndoneMoves } from '../../relinking/undone-moves.ts';
import { countThatFits } from '../../reply-budget.ts';
import type { Session } from '../../session.ts';
import { lastChange } from '../../writing/conflicts.ts';
import { type Apply, type Landed, land, preview } from '../../writing/write.ts';

export async function revertCommit(
  session: Session,
  input: Input<'revert_commit'>,
): Promise<Output<'revert_commit'>> {
  const { repository } = session;
  const commit = await repository.commit(await repository.resolveCommit(input.commit));
  const changes = await repository.changes(commit.parents[0] ?? null, commit.oid);
  const apply: Apply = async (base) => ({
    message: input.message ?? messageFor(commit),
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
  const puts: FileChange[] = [];
  for (const change of changes) {
    const present = await base.entry(change.path);
    if (isSame(present, change.before)) {
      if (change.before === null && pagePathOf(change.path) !== null) gone.push(change);
    } else if (isSame(present, change.after)) puts.push(change);
    else inTheWay.push(change);
  }
  inTheWay.push(...(await leftSince(session, base, commit, { gone, puts, changes })));
  if (inTheWay.length > 0) throw await changedSince(session, base, commit, inTheWay, changes.length);
  return puts.map(putBack);
}

/**
 * The pages that the commit added and that moved on since: their text lies elsewhere, or came from a page to
 * restore.
 */
async function leftSince(
  { index }: Session,
  base: Snapshot,
  commit: Oid,
  { gone, puts, changes }: Record<'gone' | 'puts' | 'changes', readonly FileChange[]>,
): Promise<FileChange[]> {
  if (base.commit === null || gone.length === 0) return [];
  // Without it, the index would not report moves.
  await index.catchUp(base.commit);
  const places = new Set(changes.flatMap(({ path, before }) => (before === null ? [] : [nameOf({ path })])));
  const moved = new Set<string>();
  for (const { path, after } of puts) {
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

function putBack({ path, before }: FileChange): FileWrite {
  return before === null ? { path, remove: true } : { path, oid: before.oid, mode: before.mode };
}

function isSame(one: TreeEntry | null, other: TreeEntry | null): boolean {
  return one?.oid === other?.oid && one?.mode === other?.mode;
}

function nameOf({ path }: Pick<FileChange, 'path'>): string {
  return pagePathOf(path) ?? path;
}

/** The effect of undoing a change. */
function actionOf({ before, after }: FileChange): 'added' | 'modified' | 'deleted' {
  if (before === null) return 'deleted';
  return after === null ? 'added' : 'modified';
}

function messageFor(commit: CommitInfo): string {
  // A commit that git pushed, as every merge was, may name any path of the wiki. The report of the undoing is
  // also shown to callers who may not see that path.
  const subject = mayNameMore(commit) ? BROUGHT_IN.slice(0, -1) : firstLineOf(commit.message);
  return `Revert "${subject}"\n\nThis reverts commit ${commit.oid}.`;
}

function firstLineOf(message: string): string {
  return (message.split('\n', 1)[0] ?? '').slice(0, 200).toWellFormed();
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
