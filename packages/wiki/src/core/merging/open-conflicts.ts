import type { Oid } from '../../contract/ids.ts';
import { yielding } from '../../scheduling/yielding.ts';
import type { Index, NamedConflict } from '../index-port.ts';
import { findPage } from '../pages/find-page.ts';
import type { Snapshot } from '../ports.ts';
import type { Session } from '../session.ts';

/** A page of which the wiki kept its own version in a merge, and has it still. */
export interface OpenConflict extends NamedConflict {
  /** The wiki's version; null if the page was deleted. */
  ours: Oid | null;
  /** The merged commit, and the version that the page has there; null if it was deleted there. */
  theirs: { commit: Oid; version: Oid | null };
}

/** The conflicts of merges that nobody has settled yet, by path; with `only`, that of this page. */
export async function openConflicts(
  { repository, index }: Pick<Session, 'repository' | 'index'>,
  snapshot: Snapshot,
  only?: string,
): Promise<OpenConflict[]> {
  if (snapshot.commit === null) return [];
  const found: OpenConflict[] = [];
  const yieldIfDue = yielding();
  for (const named of await index.conflicts(snapshot.commit)) {
    if (only !== undefined && named.path !== only) continue;
    await yieldIfDue();
    found.push(...(await proved(repository, snapshot, named)));
  }
  return found;
}

/** The open conflict of a page. */
export async function openConflictOf(
  { repository, index }: { repository: Session['repository']; index: Pick<Index, 'conflictOf'> },
  snapshot: Snapshot,
  path: string,
): Promise<OpenConflict | null> {
  const merge = snapshot.commit === null ? null : await index.conflictOf(snapshot.commit, path);
  if (merge === null) return null;
  const [conflict = null] = await proved(repository, snapshot, { path, merge });
  return conflict;
}

/**
 * A message alone proves nothing, since a commit that came by git can have any. So the trees decide: the page is as in
 * the merge's first parent, and the second one has another.
 */
async function proved(
  repository: Session['repository'],
  snapshot: Snapshot,
  { path, merge }: NamedConflict,
): Promise<OpenConflict[]> {
  const [ours, theirs] = (await repository.commit(merge)).parents;
  if (ours === undefined || theirs === undefined) return [];
  const trees = [snapshot, await repository.at(ours), await repository.at(theirs)];
  const versions = await Promise.all(trees.map((tree) => findPage(tree, path)));
  const [present = null, kept = null, other = null] = versions.map((entry) => entry?.oid ?? null);
  if (present !== kept || other === kept) return [];
  return [{ path, merge, ours: kept, theirs: { commit: theirs, version: other } }];
}
