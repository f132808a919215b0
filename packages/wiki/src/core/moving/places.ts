import { findFolder, findPage, placeForPage } from '../pages/find-page.ts';
import { hasOtherForms } from '../paths/page-path.ts';
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
  return (before && (await findPage(before, path)))?.path ?? place;
}

/** The same for the files in a folder that moves, by their paths in that folder. */
export async function placesForMoved(
  session: Session,
  draft: Draft,
  folder: string,
): Promise<(rest: string) => string> {
  const present = await findFolder(draft, folder);
  const before = hasOtherForms(folder) ? await beforeNewest(session, draft) : null;
  const folders = before === null ? [] : await Array.fromAsync(spelledFolders(before, folder));
  const to = present ?? folders[0] ?? folder;
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
