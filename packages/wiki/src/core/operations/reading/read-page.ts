import { WikiError } from '../../../contract/errors.ts';
import type { Oid } from '../../../contract/ids.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { commitAt } from '../../commit-at.ts';
import type { Index } from '../../index-port.ts';
import { conflictNotices } from '../../merging/describe-conflict.ts';
import { fateOf, findPage, pageMissing } from '../../pages/find-page.ts';
import { viewPage } from '../../pages/page-view.ts';
import { folderOf, pagePathOf, parsePagePath, treePathOf } from '../../paths/page-path.ts';
import type { Snapshot, TreeEntry } from '../../ports.ts';
import type { Session } from '../../session.ts';
import { nameKeysOf } from '../../text/links/link-names.ts';
import { createLinkResolver } from '../../text/links/link-resolver.ts';
import { joinPath } from '../../text/links/relative-path.ts';
import { parseWrittenLink } from '../../text/links/written-link.ts';

export async function readPage(session: Session, input: Input<'read_page'>): Promise<Output<'read_page'>> {
  const { repository } = session;
  const snapshot =
    input.at === undefined ? await repository.head() : await repository.at(await commitAt(session, input.at));
  const path = pathIn(input.path);
  const entry = typeof path === 'string' ? await findPage(snapshot, path) : null;
  const led =
    typeof path === 'string' && entry !== null
      ? { path, entry, anchor: null }
      : await followWritten(session, snapshot, input, path);
  const notices = input.at === undefined ? await conflictNotices(session, snapshot, led.path) : [];
  return viewPage(snapshot, led.path, led.entry, { ...input, anchor: led.anchor ?? undefined, notices });
}

interface LedTo {
  path: string;
  entry: TreeEntry;
  anchor: string | null;
}

/** Treats a text that is not a page path as a link written on a page. */
async function followWritten(
  { repository, index, call }: Session,
  snapshot: Snapshot,
  input: Input<'read_page'>,
  path: string | WikiError,
): Promise<LedTo> {
  const { commit } = snapshot;
  const { isWhole, addresses } = parseWrittenLink(input.path);
  if (commit !== null) {
    const head = input.at === undefined ? commit : (await repository.head()).commit;
    if (head !== null) await index.catchUp(head, call.progress, call.signal);
    await index.standAt(commit, call.progress, call.signal);
    const led = await firstLed(index, snapshot, commit, input, addresses);
    if (led !== null) return led;
  }
  const [address] = addresses;
  const isLink = isWhole || input.from !== undefined;
  if (path instanceof WikiError && !isLink) throw path;
  const missed = isLink ? (address?.target.trim() ?? '') : '';
  const name = missed === '' ? input.path : missed;
  const wanted = await missedPath(index, commit, name, input.from);
  if (typeof wanted !== 'string') throw wanted;
  throw await pageMissing(
    snapshot,
    wanted,
    index,
    input.at !== undefined,
    inFolderOf(input.from, name) ?? wanted,
  );
}

/** The target of the first address that has one. */
async function firstLed(
  index: Index,
  snapshot: Snapshot,
  commit: Oid,
  input: Input<'read_page'>,
  addresses: ReturnType<typeof parseWrittenLink>['addresses'],
): Promise<LedTo | null> {
  const from = input.from === undefined ? '' : treePathOf(parsePagePath(input.from));
  for (const address of addresses) {
    // Without its page, a link to a heading of the same page leads nowhere.
    if (from === '' && address.target.trim() === '') continue;
    const { treePaths, aliases } = await index.namesLike(commit, nameKeysOf(address));
    const led = createLinkResolver(treePaths, aliases).resolve(address, from);
    const entry = led === null ? null : await snapshot.entry(led.path);
    if (led === null || entry === null) continue;
    const page = pagePathOf(led.path);
    if (page === null) throw noPage(input.path, led.path);
    return { path: page, entry, anchor: led.anchor };
  }
  return null;
}

/** The page of this bare name in the folder of the page that links to it. */
function inFolderOf(from: string | undefined, name: string): string | null {
  if (from === undefined || name.includes('/')) return null;
  const path = pathIn(joinPath(folderOf(parsePagePath(from)), name) ?? name);
  return typeof path === 'string' ? path : null;
}

/**
 * The page that a link would have led to: of its possible targets, the nearest path at which a page once was.
 */
async function missedPath(
  index: Index,
  commit: Oid | null,
  name: string,
  from: string | undefined,
): Promise<string | WikiError> {
  const folder = from === undefined ? '' : folderOf(parsePagePath(from));
  const folders = /^\.\.?\//.test(name) ? [folder] : [...foldersFrom(name.startsWith('/') ? '' : folder), ''];
  const paths = folders.map((above) => pathIn(joinPath(above, name.replace(/^\/+/, '')) ?? name));
  for (const path of paths) {
    if (commit !== null && typeof path === 'string' && (await fateOf(index, commit, path)) !== null)
      return path;
  }
  return paths.at(-1) ?? pathIn(name);
}

/** The folder and its parents without the root, nearest first; not more than a link needs. */
function foldersFrom(folder: string): string[] {
  const parts = folder === '' ? [] : folder.split('/');
  return parts.map((_, at) => parts.slice(0, parts.length - at).join('/')).slice(0, MAX_FOLDERS);
}

const MAX_FOLDERS = 8;

/** The path of a page, or the reason why it cannot be one. */
function pathIn(written: string): string | WikiError {
  try {
    return parsePagePath(written);
  } catch (error) {
    if (error instanceof WikiError) return error;
    throw error;
  }
}

function noPage(written: string, treePath: string): WikiError {
  return new WikiError(
    'not_found',
    {
      happened: `${JSON.stringify(written.slice(0, 200))} leads to the file ${JSON.stringify(treePath)}, which is no page.`,
      now: 'Nothing was read.',
      next: 'Read it with get_attachment.',
    },
    { path: treePath },
  );
}
