import { folderOf } from '../../paths/page-path.ts';
import type { Link } from '../markdown/markdown.ts';
import type { LinkAddress } from './link-names.ts';
import type { LinkResolver, ResolvedLink } from './link-resolver.ts';
import { formatDestination, partsOf, styleOf, syntaxOf } from './link-target.ts';
import { joinPath, relativePath } from './relative-path.ts';

/**
 * The rewritten destination of a broken link for the new place of its page, so that it names the same missing
 * page as before, which moves along with a folder. Null if the link still does, if it is not a path from the
 * folder of its page, or if all paths to that place would lead to another page.
 */
export function rebased(
  link: Link,
  written: string,
  change: { from: string; at: string; after: LinkResolver; placeOf(path: string): string },
): string | null {
  const { from, at, after } = change;
  const place = isPathFromFolder(link) ? joinPath(folderOf(from), link.target) : null;
  if (place === null) return null;
  const isMissing = (target: string) => after.resolve({ ...link, target }, at) === null;
  const now = change.placeOf(place);
  if (joinPath(folderOf(at), link.target) === now && isMissing(link.target)) return null;
  const paths = [now, place].flatMap((path) => pathsTo(path, link, at));
  const path = paths.find(isMissing);
  if (path === undefined || path === link.target) return null;
  if (link.kind === 'wiki') return path + written.slice(link.target.length);
  const { query, anchor } = partsOf(written, syntaxOf(link.kind));
  return formatDestination(path, styleOf(link, written)) + query + anchor;
}

/** True if a broken link names a folder that moves, or a missing page in it. */
export function namesMovedFolder(
  link: LinkAddress,
  from: string,
  { before, placeOf }: { before: LinkResolver; placeOf(path: string): string },
): boolean {
  const place = isPathFromFolder(link) ? joinPath(folderOf(from), link.target) : null;
  return place !== null && placeOf(place) !== place && before.resolve(link, from) === null;
}

/**
 * True if a path from the page's folder leaves the folder of the page's new place only to come back. It is
 * straightened, so that a page that moves there and back regains its links.
 */
export function isNewDetour({ target }: Link, led: ResolvedLink, from: string, at: string): boolean {
  if (led.by !== 'relative') return false;
  const isDetour = (folder: string) => {
    const place = joinPath(folder, target);
    return place !== null && relativePath(folder, place).split('/').length < target.split('/').length;
  };
  return isDetour(folderOf(at)) && !isDetour(folderOf(from));
}

/**
 * True if a person may have written the link to a missing page. Any other link belongs to another program,
 * which knows its meaning: an alias (`@site/x`), a variable (`{{root}}/x`), a drive, a web address.
 */
function isPathFromFolder({ kind, target }: LinkAddress): boolean {
  if (kind === 'wiki' ? !/^\.\.?\//.test(target) : target.startsWith('/')) return false;
  return !/^(?:[@~!]|%[^/]*%|www\.)|[\\{}$<>|"*:\p{Cc}]/u.test(target);
}

/** A wikilink is a relative path only with its dots; a Markdown link without them may be a name as well. */
function pathsTo(path: string, { kind, target }: Link, at: string): string[] {
  const folder = folderOf(at);
  if (/(?:^|\/)\.\.?$/.test(target) && `${folder}/`.startsWith(path === '' ? '' : `${path}/`)) {
    return [pathUpTo(path, folder)];
  }
  const relative = relativePath(folder, path);
  const dotted = relative.startsWith('../') ? relative : `./${relative}`;
  return kind === 'wiki' ? [dotted] : [relative, dotted];
}

/** `..` and so on, or `.` for the folder itself, and not `../../docs`: a page that moves there and back regains its link. */
function pathUpTo(path: string, folder: string): string {
  const below = folder.slice(path.length).split('/').filter(Boolean);
  return below.map(() => '..').join('/') || '.';
}
