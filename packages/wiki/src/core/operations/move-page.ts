import type { Input, Output } from '../../contract/operations.ts';
import { alreadyExists, requireVersion } from '../conflicts.ts';
import { moveFile } from '../move-file.ts';
import { pagePathOf, parseNewPagePath, parsePagePath } from '../page-path.ts';
import { findPage, placeForPage, requirePage } from '../pages.ts';
import type { FileWrite, Snapshot } from '../ports.ts';
import { countThatFits } from '../reply-budget.ts';
import type { Session } from '../session.ts';
import { describePage, type Landed, land, preview } from '../write.ts';

export async function movePage(session: Session, input: Input<'move_page'>): Promise<Output<'move_page'>> {
  const path = parsePagePath(input.path);
  const newPath = parseNewPagePath(input.new_path);
  let planned: FileWrite[] = [];
  const apply = async (base: Snapshot) => {
    planned = await planMove(session, base, path, newPath, input);
    return { message: input.message ?? `Move ${path} to ${newPath}`, files: planned };
  };
  const landed = input.dry_run
    ? await preview(session, apply)
    : await land(session, 'move_page', input, apply);
  const written = input.dry_run
    ? planned.flatMap((file) => ('content' in file ? [file.path] : []))
    : await writtenPaths(session, landed);
  const updated = written
    .flatMap((treePath) => pagePathOf(treePath) ?? [])
    .filter((page) => page !== newPath);
  const described = await describePage(landed, newPath, path);
  const shown = countThatFits(updated, described.diff.length * 2 + 2_000);
  return {
    path: newPath,
    previous_path: path,
    ...described,
    updated_pages: updated.slice(0, shown),
    updated_total: updated.length,
  };
}

async function planMove(
  session: Session,
  base: Snapshot,
  path: string,
  newPath: string,
  { version, update_links }: Input<'move_page'>,
): Promise<FileWrite[]> {
  const entry = await requirePage(base, path, session.index);
  await requireVersion(session, base, path, entry, version);
  const existing = await findPage(base, newPath);
  if (existing !== null && existing.path !== entry.path) throw alreadyExists(newPath, existing);
  const place = await placeForPage(base, newPath);
  return place === entry.path ? [] : moveFile(session.index, base, entry, place, update_links);
}

async function writtenPaths({ repository }: Session, landed: Landed): Promise<string[]> {
  if (!landed.changed || landed.after.commit === null) return [];
  const changes = await repository.changes(landed.before.commit, landed.after.commit);
  return changes.filter((change) => change.after !== null).map((change) => change.path);
}
