import { WikiError } from '../../contract/errors.ts';
import type { Input } from '../../contract/operations.ts';
import { inTurns } from '../../scheduling/in-turns.ts';
import { findAttachment } from '../pages/attachments.ts';
import { findPage, requirePage } from '../pages/find-page.ts';
import { encodePage, readForChange } from '../pages/page-content.ts';
import { folderOf, pagePathOf, parseNewPagePath, parsePagePath } from '../paths/page-path.ts';
import { spelledFolders } from '../paths/spellings.ts';
import type { TreeEntry } from '../ports.ts';
import type { Session } from '../session.ts';
import { endsWithin, mergeTexts, readsOtherwise } from '../text/merging/merged-text.ts';
import { alreadyExists, requireVersion } from '../writing/conflicts.ts';
import type { NetChange } from '../writing/net-change.ts';
import { placeForMoved, placesForMoved } from './places.ts';

export type MoveInput = Pick<Input<'move_page'>, 'path' | 'new_path' | 'version' | 'update_links'>;

/** The two paths of a move as an answer names them: two page paths, or two folders with their slashes. */
export interface MovedPaths {
  from: string;
  path: string;
  isFolder: boolean;
}

/** Parses the paths, which must both name pages or both folders; `invalid_input` otherwise. */
export function parseMove({ path, new_path, version }: MoveInput): MovedPaths {
  const isFolder = path.endsWith('/');
  if (isFolder !== new_path.endsWith('/')) throw onlyOneFolder(path, new_path);
  if (!isFolder) return { from: parsePagePath(path), path: parseNewPagePath(new_path), isFolder };
  if (version !== undefined) throw folderHasNoVersion(path);
  return {
    from: `${folderOf(parsePagePath(`${path}x`))}/`,
    path: `${folderOf(parseNewPagePath(`${new_path}x`))}/`,
    isFolder,
  };
}

/** Moves a page, or a folder with everything in it. Links are rewritten later. */
export async function applyMove(session: Session, net: NetChange, input: MoveInput): Promise<void> {
  const move = parseMove(input);
  if (move.isFolder) return moveFolder(session, net, move, input.update_links);
  const { draft } = net;
  const entry = await requirePage(draft, move.from, session.index);
  await requireVersion(session, draft, move.from, entry, input.version);
  await requireFree(net, move.path, entry);
  await net.move(entry.path, await placeForMoved(session, draft, move.path), input.update_links);
}

/** The target of a merge is an existing page: its name may be one that a new page may not have. */
export function parseMerge({ path, new_path }: Pick<MoveInput, 'path' | 'new_path'>): MovedPaths {
  return { from: parsePagePath(path), path: parsePagePath(new_path), isFolder: false };
}

/** Appends the body of a page to another one and deletes the page. */
export async function applyMerge(session: Session, net: NetChange, input: MoveInput): Promise<void> {
  const { draft } = net;
  const { from, path: into } = parseMerge(input);
  const entry = await requirePage(draft, from, session.index);
  await requireVersion(session, draft, from, entry, input.version);
  const target = await requirePage(draft, into, session.index);
  if (target.path === entry.path) throw mergesIntoItself(from);
  const { text } = await readForChange(draft, from, entry);
  const present = await readForChange(draft, into, target);
  if (await inTurns(endsWithin(present.text))) throw swallowsRest(into, from);
  const steps = mergeTexts(
    { text: present.text, runs: net.runsAt(target.path) },
    { text, runs: net.runsAt(entry.path) },
  );
  const merged = await inTurns(steps);
  if (await inTurns(readsOtherwise(merged))) throw joinsLastItem(into, from);
  const content = encodePage(into, merged.text, present.bom);
  await net.merge(entry.path, { path: target.path, content, mode: target.mode }, merged, input.update_links);
}

async function moveFolder(
  session: Session,
  net: NetChange,
  { from, path }: MovedPaths,
  follow: boolean,
): Promise<void> {
  if (from === path) return;
  if (path.startsWith(from)) throw intoItself(from, path);
  const { draft } = net;
  const folders = await Array.fromAsync(spelledFolders(draft, from.slice(0, -1)));
  const placeOf = await placesForMoved(session, draft, path.slice(0, -1));
  // All files keep their names, even names that no new file may have.
  const places = new Map<string, TreeEntry>();
  for (const folder of folders) {
    for await (const entry of draft.files(folder)) {
      const place = placeOf(entry.path.slice(folder.length));
      const page = pagePathOf(place);
      if (page !== null) await requireFree(net, page, entry);
      else if ((await findAttachment(draft, place)) !== null) throw fileExists(place);
      const other = places.get(place);
      if (other !== undefined) throw sameName(other, entry);
      places.set(place, entry);
    }
  }
  if (places.size === 0) throw folderNotFound(from);
  for (const [place, entry] of places) await net.move(entry.path, place, follow);
  for (const folder of folders) net.moveFolder(folder, placeOf(''));
}

async function requireFree({ draft }: NetChange, path: string, moving: TreeEntry): Promise<void> {
  const existing = await findPage(draft, path);
  if (existing !== null && existing.path !== moving.path) throw alreadyExists(path, existing, makeRoom);
}

const makeRoom = 'Choose another new_path, or move or delete that page first.';

function onlyOneFolder(path: string, newPath: string): WikiError {
  return new WikiError('invalid_input', {
    happened: `One of ${JSON.stringify(path)} and ${JSON.stringify(newPath)} is a folder, since it ends in "/", and the other is a page.`,
    now: 'Nothing was changed.',
    next: 'To move a folder, end both paths in "/"; to move a page, end neither so.',
  });
}

function folderHasNoVersion(path: string): WikiError {
  return new WikiError('invalid_input', {
    happened: `The folder ${JSON.stringify(path)} has no version.`,
    now: 'Nothing was changed.',
    next: 'Leave version out.',
  });
}

function intoItself(from: string, path: string): WikiError {
  return new WikiError('invalid_path', {
    happened: `The folder ${JSON.stringify(from)} cannot move into itself, to ${JSON.stringify(path)}.`,
    now: 'Nothing was changed.',
    next: 'Choose a new_path outside of it.',
  });
}

function mergesIntoItself(path: string): WikiError {
  return new WikiError('invalid_input', {
    happened: `The page ${JSON.stringify(path)} cannot be merged into itself.`,
    now: 'Nothing was changed.',
    next: 'Give the page to merge it into as new_path.',
  });
}

function swallowsRest(into: string, from: string): WikiError {
  return new WikiError('invalid_input', {
    happened: `The page ${JSON.stringify(into)} ends within code or a comment that is not closed, of which ${JSON.stringify(from)} would become a part.`,
    now: 'Nothing was changed.',
    next: 'Close it at the end of that page with append_to_page, then merge.',
  });
}

function joinsLastItem(into: string, from: string): WikiError {
  return new WikiError('invalid_input', {
    happened: `The page ${JSON.stringify(into)} ends in a list or a footnote, and the first lines of ${JSON.stringify(from)} would become a part of its last item.`,
    now: 'Nothing was changed.',
    next: 'Put a heading or a paragraph at the end of that page with append_to_page, then merge.',
  });
}

function folderNotFound(from: string): WikiError {
  return new WikiError(
    'not_found',
    {
      happened: `There is no folder ${JSON.stringify(from)}.`,
      now: 'Nothing was changed.',
      next: 'See list_pages for the folders that there are.',
    },
    { path: from },
  );
}

function fileExists(path: string): WikiError {
  return new WikiError(
    'already_exists',
    {
      happened: `The file ${JSON.stringify(path)} exists already.`,
      now: 'Nothing was changed.',
      next: 'Choose another new_path, or delete that file first.',
    },
    { path },
  );
}

function sameName({ path }: TreeEntry, other: TreeEntry): WikiError {
  const name = pagePathOf(path) ?? path;
  return new WikiError(
    'already_exists',
    {
      happened: `Two files cannot move to one place: ${JSON.stringify(path)} and ${JSON.stringify(other.path)} are one name in two Unicode forms.`,
      now: 'Nothing was changed.',
      next: `Move or delete ${JSON.stringify(name)} first; then the other one is there under this name.`,
    },
    { path: name },
  );
}
