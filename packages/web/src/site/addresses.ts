import { digestOf } from './entity-tag.ts';

/**
 * The addresses in the browser. A page is at `/WIKI/PATH`, a folder at `/WIKI/PATH/`, and everything else
 * below `/_/`, since no wiki has a name with `_`.
 */

export type Query = Record<string, string | readonly string[] | null | undefined>;

export function pageAddress(wiki: string, path: string, query: Query = {}): string {
  return `/${wiki}/${encodePath(path)}${encodeQuery(query)}`;
}

/** `folder` has no slash at its end; empty is the root. */
export function folderAddress(wiki: string, folder: string): string {
  return folder === '' ? `/${wiki}/` : `/${wiki}/${encodePath(folder)}/`;
}

/** `pages` is part of a static site alone. */
export type View =
  | 'search'
  | 'changes'
  | 'tags'
  | 'problems'
  | 'sync'
  | 'new'
  | 'upload'
  | 'undo'
  | 'fix'
  | 'pages'
  | 'graph';

export function viewAddress(wiki: string, view: View, query: Query = {}): string {
  return `/_/${wiki}/${view}${encodeQuery(query)}`;
}

/** The graph of the view, for the script that draws it. */
export function graphDataAddress(wiki: string, query: Query): string {
  return `/_/${wiki}/graph.json${encodeQuery(query)}`;
}

/** The changes of all wikis as they come. */
export const NOW_ADDRESS = '/_/now';
export const NOTICES_ADDRESS = '/_/third-party-notices.txt';

export const SIGN_OUT_ADDRESS = '/_/sign-out';
/** The clients that act for the person who looks. */
export const CLIENTS_ADDRESS = '/_/clients';

/** The stream of changes of one wiki, or of all. */
export function liveAddress(wiki?: string): string {
  return wiki === undefined ? '/_/live' : `/_/${wiki}/live`;
}

/** A file as it is now, or as of a commit. */
export function fileAddress(wiki: string, path: string, at?: string): string {
  return `/_/${wiki}/files/${encodePath(path)}${encodeQuery({ at })}`;
}

/** Everything that a commit changed. */
export function commitAddress(wiki: string, commit: string, query: Query = {}): string {
  return `/_/${wiki}/commits/${encodeURIComponent(commit)}${encodeQuery(query)}`;
}

/** In a static site, where a page has the script alone that it needs. */
export const STATIC_SCRIPTS = { diagrams: '/_/diagrams.js', search: '/_/search.js' };
export const STATIC_STYLESHEET = '/_/style.css';

/** Changes with the script, so that a browser may keep it for ever. */
export function scriptAddress(script: string, name: 'client' | 'editor' = 'client'): string {
  const digest = DIGESTS.get(script) ?? digestOf(script);
  DIGESTS.set(script, digest);
  return `/_/${name}.${digest}.js`;
}

/** The site of each session has the same scripts, of half a megabyte. */
const DIGESTS = new Map<string, string>();

/**
 * The path in the part of an address after `prefix`, or null for one that none of our links has: a slash
 * within a part would make it another page.
 */
export function pathIn(address: string, prefix: string): string | null {
  const { pathname } = new URL(address);
  const parts = pathname.slice(prefix.length).split('/');
  try {
    const decoded = parts.map(decodeURIComponent);
    return decoded.some((part) => part.includes('/')) ? null : decoded.join('/');
  } catch {
    // Not percent-encoded UTF-8.
    return null;
  }
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

export function encodeQuery(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().flatMap((each) => (each ? [[name, each]] : [])),
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}
