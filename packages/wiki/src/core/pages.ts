import { WikiError } from '../contract/errors.ts';
import type { Oid } from '../contract/ids.ts';
import type { Index } from './index-port.ts';
import { findSamePath, hasOtherForms, treePathOf } from './page-path.ts';
import type { Snapshot, TreeEntry } from './ports.ts';
import { nearNames } from './text/near-names.ts';

/** The file of a page, or null; found also where the tree spells its name in another Unicode form. */
export async function findPage(snapshot: Snapshot, path: string): Promise<TreeEntry | null> {
  const treePath = treePathOf(path);
  const exact = await snapshot.entry(treePath);
  if (exact !== null || !hasOtherForms(treePath)) return exact;
  const spelled = await findSpelling(snapshot, treePath.split('/'));
  return spelled === null ? null : snapshot.entry(spelled);
}

/**
 * The file of a page that must be there; `not_found` names pages that the caller may have meant.
 * @param past whether the caller asked for this very commit.
 */
export async function requirePage(
  snapshot: Snapshot,
  path: string,
  index: Index,
  past = false,
): Promise<TreeEntry> {
  const entry = await findPage(snapshot, path);
  if (entry !== null) return entry;
  const paths = snapshot.commit === null ? [] : await index.paths(snapshot.commit);
  throw pageNotFound(path, nearNames(path, paths), past ? snapshot.commit : null);
}

/**
 * `near` are existing paths to suggest; none where a wrong guess would do harm. `after` is the commit that was asked
 * for, null for the present.
 */
export function pageNotFound(
  path: string,
  near: readonly string[] = [],
  after: Oid | null = null,
): WikiError {
  const name = JSON.stringify(path);
  return new WikiError(
    'not_found',
    {
      happened:
        after === null ? `There is no page ${name}.` : `There was no page ${name} after commit ${after}.`,
      now:
        near.length === 0
          ? 'Nothing was changed.'
          : `Pages with near names: ${near.map((name) => JSON.stringify(name)).join(', ')}.`,
      next: 'Check the path with list_pages or search_pages; get_history tells of one that was moved or deleted.',
    },
    { path, near },
  );
}

/** Where a new page of this path goes: into folders that exist already as they are spelled, if in another form. */
export async function placeForPage(snapshot: Snapshot, path: string): Promise<string> {
  const treePath = treePathOf(path);
  if (!hasOtherForms(treePath)) return treePath;
  const parts = treePath.split('/');
  for (let depth = parts.length - 1; depth > 0; depth--) {
    const folder = await findSpelling(snapshot, parts.slice(0, depth));
    if (folder !== null) return [folder, ...parts.slice(depth)].join('/');
  }
  return treePath;
}

async function findSpelling(snapshot: Snapshot, parts: readonly string[]): Promise<string | null> {
  let found = '';
  for (const part of parts) {
    const entries = await snapshot.folder(found);
    const name =
      entries &&
      findSamePath(
        part,
        entries.map((entry) => entry.name),
      );
    if (!name) return null;
    found = found === '' ? name : `${found}/${name}`;
  }
  return found;
}
