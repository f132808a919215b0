import { WikiError } from '../../contract/errors.ts';
import type { Oid } from '../../contract/ids.ts';
import type { Index } from '../index-port.ts';
import { hasOtherForms, treePathOf } from '../paths/page-path.ts';
import { firstOf, spelledFiles, spelledFolders } from '../paths/spellings.ts';
import type { Snapshot, TreeEntry } from '../ports.ts';
import { nearNames } from '../text/links/near-names.ts';

/** The file of a page, or null. Finds it even if the tree spells its name in another Unicode form. */
export function findPage(snapshot: Snapshot, path: string): Promise<TreeEntry | null> {
  return firstOf(spelledFiles(snapshot, treePathOf(path)));
}

/**
 * The file of a page that must exist; `not_found` suggests pages that the caller may have meant, without waiting for the
 * index.
 * @param past True if the caller named this commit.
 */
export async function requirePage(
  snapshot: Snapshot,
  path: string,
  index: Index,
  past = false,
): Promise<TreeEntry> {
  const entry = await findPage(snapshot, path);
  if (entry !== null) return entry;
  const { departure } = index.atOnce;
  throw await pageMissing(snapshot, path, { departure, paths: index.paths }, past);
}

/**
 * The error for a missing page, with suggestions and the page's fate.
 * @param likelyAt The path where a link to it would be looked up first; pages in that folder are suggested
 * first.
 */
export async function pageMissing(
  snapshot: Snapshot,
  path: string,
  index: Pick<Index, 'departure' | 'paths'>,
  past: boolean,
  likelyAt = path,
): Promise<WikiError> {
  const { commit } = snapshot;
  if (commit === null) return pageNotFound(path);
  const fate = await fateOf(index, commit, path);
  const near = nearNames(likelyAt, await index.paths(commit)).filter((name) => name !== fate?.movedTo);
  if (fate !== null && fate.movedTo !== null) near.unshift(fate.movedTo);
  return pageNotFound(path, near, past ? commit : null, fate);
}

/** The fate of a page. */
interface Fate {
  /** The commit that moved it away from the given path or, if the page is gone since, that deleted it. */
  commit: Oid;
  /** Its current path; null if it was deleted. */
  movedTo: string | null;
  /** Its last path. */
  last: string;
}

/** Follows the moves of a page that is not there. */
export async function fateOf(
  index: Pick<Index, 'departure'>,
  commit: Oid,
  path: string,
): Promise<Fate | null> {
  const first = await index.departure(commit, path);
  let left = first;
  let last = path;
  for (let moves = 0; left !== null && moves < MAX_MOVES; moves += 1) {
    if (left.movedTo === null) return { commit: left.commit, movedTo: null, last };
    last = left.movedTo;
    left = await index.departure(commit, last);
  }
  return first === null || left !== null ? null : { commit: first.commit, movedTo: last, last };
}

/** Pages that move back and forth would be followed for ever. */
const MAX_MOVES = 10;

/**
 * `near` are existing paths to suggest; empty if a wrong guess would do harm. `after` is the requested
 * commit, or null for the present.
 */
export function pageNotFound(
  path: string,
  near: readonly string[] = [],
  after: Oid | null = null,
  fate: Fate | null = null,
): WikiError {
  const name = JSON.stringify(path);
  const missed =
    after === null ? `There is no page ${name}` : `There was no page ${name} after commit ${after}`;
  return new WikiError(
    'not_found',
    {
      happened: `${missed}${fate === null ? '' : `: ${describeFate(path, fate)}`}.`,
      now:
        near.length === 0
          ? 'Nothing was changed.'
          : `Pages with near names: ${near.map((name) => JSON.stringify(name)).join(', ')}.`,
      next: nextAfterMissing(fate),
    },
    { path, near, ...(fate !== null && { gone: { commit: fate.commit, moved_to: fate.movedTo } }) },
  );
}

function describeFate(path: string, { commit, movedTo, last }: Fate): string {
  if (movedTo !== null) return `commit ${commit} moved it`;
  if (last === path) return `commit ${commit} deleted it`;
  return `it moved to ${JSON.stringify(last)}, and commit ${commit} deleted it there`;
}

function nextAfterMissing(fate: Fate | null): string {
  if (fate === null)
    return 'Check the path with list_pages or search_pages; get_history finds one that was moved or deleted.';
  if (fate.movedTo !== null) return `Read ${JSON.stringify(fate.movedTo)}, where it is now.`;
  return `get_history of ${JSON.stringify(fate.last)} lists its versions; restore_page brings one back.`;
}

/** A folder in the tree's own spelling, or null. */
export function findFolder(snapshot: Snapshot, folder: string): Promise<string | null> {
  return firstOf(spelledFolders(snapshot, folder));
}

/** The tree path of a new page: see `placeInTree`. */
export function placeForPage(snapshot: Snapshot, path: string): Promise<string> {
  return placeInTree(snapshot, treePathOf(path));
}

/** The tree path of a new file. Existing folders keep their spelling, even in another Unicode form. */
export async function placeInTree(snapshot: Snapshot, treePath: string): Promise<string> {
  if (!hasOtherForms(treePath)) return treePath;
  const parts = treePath.split('/');
  for (let depth = parts.length - 1; depth > 0; depth--) {
    const folder = await findFolder(snapshot, parts.slice(0, depth).join('/'));
    if (folder !== null) return [folder, ...parts.slice(depth)].join('/');
  }
  return treePath;
}
