import type { Input, Output } from '../../../contract/operations.ts';
import { type OpenConflict, openConflicts } from '../../merging/open-conflicts.ts';
import { findPage } from '../../pages/find-page.ts';
import { parsePagePath } from '../../paths/page-path.ts';
import type { Snapshot } from '../../ports.ts';
import type { Session } from '../../session.ts';
import { decodeText } from '../../text/text-encoding.ts';
import { mergeMarked } from '../../text/three-way/merge-text.ts';

type Merged = NonNullable<Output<'view_conflict'>['conflict']>['merged'];

export async function viewConflict(
  { repository, index, call }: Session,
  input: Input<'view_conflict'>,
): Promise<Output<'view_conflict'>> {
  const path = parsePagePath(input.path);
  const head = await repository.head();
  if (head.commit === null) return { commit: null, conflict: null };
  await index.catchUp(head.commit, call.progress, call.signal);
  const [open] = await openConflicts({ repository, index }, head, path);
  if (open === undefined) return { commit: head.commit, conflict: null };
  const { merge, ours, theirs } = open;
  return {
    commit: head.commit,
    conflict: {
      merge,
      ours,
      theirs: theirs.version,
      theirs_commit: theirs.commit,
      merged: await mergedText(repository, head, open),
    },
  };
}

/** Both texts since the merge base, with marks where both changed the same. */
async function mergedText(
  repository: Session['repository'],
  head: Snapshot,
  { path, merge, ours, theirs }: OpenConflict,
): Promise<Merged> {
  if (ours === null || theirs.version === null) return null;
  const [parent = merge] = (await repository.commit(merge)).parents;
  const common = await repository.mergeBase(parent, theirs.commit);
  const before = common === null ? null : await repository.at(common);
  const base = before === null ? null : await findPage(before, path);
  const there = await repository.at(theirs.commit);
  // A scope lets only a snapshot read a version that it has looked up itself.
  const other = await findPage(there, path);
  const texts = [
    before === null || base === null ? new Uint8Array() : await before.blob(base.oid),
    await head.blob(ours),
    other === null ? new Uint8Array() : await there.blob(other.oid),
  ].map(decodeText);
  // Text that is not UTF-8 must never be written back.
  if (texts.some(({ valid }) => !valid)) return null;
  const [since = '', here = '', away = ''] = texts.map(({ text }) => text);
  const marked = mergeMarked(Buffer.from(since), Buffer.from(here), Buffer.from(away), {
    ours: 'yours',
    theirs: 'theirs',
  });
  return marked && { content: Buffer.from(marked.text).toString('utf8'), conflicts: marked.conflicts };
}
