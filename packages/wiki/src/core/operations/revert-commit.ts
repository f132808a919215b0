import { WikiError } from '../../contract/errors.ts';
import type { Oid } from '../../contract/ids.ts';
import type { Input, Output } from '../../contract/operations.ts';
import { lastChange } from '../conflicts.ts';
import { pagePathOf } from '../page-path.ts';
import {
  BROUGHT_IN,
  type CommitInfo,
  type FileChange,
  type FileWrite,
  type Snapshot,
  type TreeEntry,
} from '../ports.ts';
import { countThatFits } from '../reply-budget.ts';
import type { Session } from '../session.ts';
import { type Apply, land, preview } from '../write.ts';

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
  const pages = changes.map((change) => ({ path: nameOf(change), action: actionOf(change) }));
  return {
    reverted: commit.oid,
    commit: landed.commit,
    changed: landed.changed,
    pages: pages.slice(0, countThatFits(pages)),
    pages_total: pages.length,
  };
}

/** What puts every file of the commit back. Files that are back already are left; others refuse it all. */
async function undo(
  session: Session,
  base: Snapshot,
  commit: Oid,
  changes: readonly FileChange[],
): Promise<FileWrite[]> {
  const files: FileWrite[] = [];
  const inTheWay: FileChange[] = [];
  for (const change of changes) {
    const present = await base.entry(change.path);
    if (isSame(present, change.before)) continue;
    if (isSame(present, change.after)) files.push(putBack(change));
    else inTheWay.push(change);
  }
  if (inTheWay.length > 0) throw await changedSince(session, base, commit, inTheWay, changes.length);
  return files;
}

function putBack({ path, before }: FileChange): FileWrite {
  return before === null ? { path, remove: true } : { path, oid: before.oid, mode: before.mode };
}

function isSame(one: TreeEntry | null, other: TreeEntry | null): boolean {
  return one?.oid === other?.oid && one?.mode === other?.mode;
}

function nameOf({ path }: FileChange): string {
  return pagePathOf(path) ?? path;
}

/** What undoing does. */
function actionOf({ before, after }: FileChange): 'added' | 'modified' | 'deleted' {
  if (before === null) return 'deleted';
  return after === null ? 'added' : 'modified';
}

function messageFor({ oid, parents, message }: CommitInfo): string {
  // What git pushed, as every merge was, may name any path of the wiki, and the undoing is told also where that is not.
  const isPushed = parents.length > 1 || message.startsWith(BROUGHT_IN);
  const subject = isPushed ? BROUGHT_IN.slice(0, -1) : firstLineOf(message);
  return `Revert "${subject}"\n\nThis reverts commit ${oid}.`;
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
      : `${JSON.stringify(path)} (by ${author} at ${date} in commit ${later})`,
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
