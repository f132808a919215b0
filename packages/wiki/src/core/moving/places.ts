import { findFolder, findPage, placeForPage } from '../pages/find-page.ts';
import { folderOf, hasOtherForms } from '../paths/page-path.ts';
import { spelledFolders } from '../paths/spellings.ts';
import type { Snapshot } from '../ports.ts';
import type { Session } from '../session.ts';
import type { Draft } from '../writing/draft.ts';

/**
 * The new tree path of a page that moves. The caller's name is composed (NFC). But if the newest commit
 * removed a file of that name, the name gets its former spelling, so that a move back restores every byte.
 */
export async function placeForMoved(session: Session, draft: Draft, path: string): Promise<string> {
  const place = await placeForPage(draft, path);
  if (!hasOtherForms(place)) return place;
  const before = await beforeNewest(session, draft);
  const former = (before && (await findPage(before, path)))?.path;
  return former !== undefined && (await isInItsFolder(draft, former)) ? former : place;
}

/** True unless its folder is there in another Unicode form: there would be two then. */
async function isInItsFolder(draft: Draft, treePath: string): Promise<boolean> {
  for (let folder = folderOf(treePath); folder !== ''; folder = folderOf(folder)) {
    if ((await draft.folder(folder)) !== null) return true;
    if ((await findFolder(draft, folder.normalize('NFC'))) !== null) return false;
  }
  return true;
}

/** The same for the files in a folder that moves, by their paths in that folder. */
export async function placesForMoved(
  session: Session,
  draft: Draft,
  folder: string,
): Promise<(rest: string) => string> {
  const present = await findFolder(draft, folder);
  if (present !== null) return (rest) => present + rest;
  const before = hasOtherForms(folder) ? await beforeNewest(session, draft) : null;
  const folders = before === null ? [] : await Array.fromAsync(spelledFolders(before, folder));
  const to = folders[0] ?? folder;
  const spelled = new Map<string, string>();
  for (const each of folders) {
    for await (const { path } of before?.files(each) ?? []) {
      const rest = path.slice(each.length);
      if (!spelled.has(rest)) spelled.set(rest, path);
    }
  }
  return (rest) => spelled.get(rest) ?? to + rest;
}

/** The tree before the newest commit; null if that commit has not exactly one parent. */
async function beforeNewest({ repository }: Session, { commit }: Draft): Promise<Snapshot | null> {
  if (commit === null) return null;
  const [parent, ...others] = (await repository.commit(commit)).parents;
  return parent === undefined || others.length > 0 ? null : repository.at(parent);
}
