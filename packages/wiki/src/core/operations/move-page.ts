import type { Input, Output } from '../../contract/operations.ts';
import { alreadyExists, requireVersion } from '../conflicts.ts';
import { committedLinks, type LinkSource } from '../link-source.ts';
import { moveFile } from '../move-file.ts';
import { pagePathOf, parseNewPagePath, parsePagePath } from '../page-path.ts';
import { findPage, placeForPage, requirePage } from '../pages.ts';
import type { FileWrite, Snapshot } from '../ports.ts';
import { countThatFits } from '../reply-budget.ts';
import type { Session } from '../session.ts';
import { type Apply, describePage, type Landed, land, type PagePlan, preview } from '../write.ts';

export async function movePage(session: Session, input: Input<'move_page'>): Promise<Output<'move_page'>> {
  const {
    path: newPath,
    from: path,
    apply,
  } = planMove(session, input, (base) => committedLinks(session.index, base));
  let planned: FileWrite[] = [];
  const applyAndNote: Apply = async (base) => {
    const change = await apply(base);
    planned = change.files;
    return change;
  };
  const landed = input.dry_run
    ? await preview(session, applyAndNote)
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

export function planMove(
  session: Session,
  input: Input<'move_page'>,
  linksOf: (base: Snapshot) => LinkSource,
): PagePlan & { from: string } {
  const from = parsePagePath(input.path);
  const path = parseNewPagePath(input.new_path);
  const apply: Apply = async (base) => {
    const message = input.message ?? `Move ${from} to ${path}`;
    const entry = await requirePage(base, from, session.index);
    await requireVersion(session, base, from, entry, input.version);
    const existing = await findPage(base, path);
    if (existing !== null && existing.path !== entry.path) throw alreadyExists(path, existing, makeRoom);
    const place = await placeForPage(base, path);
    if (place === entry.path) return { message, files: [] };
    return { message, files: await moveFile(linksOf(base), base, entry, place, input.update_links) };
  };
  return { path, from, apply };
}

const makeRoom = 'Choose another new_path, or move or delete that page first.';

async function writtenPaths({ repository }: Session, landed: Landed): Promise<string[]> {
  if (!landed.changed || landed.after.commit === null) return [];
  const changes = await repository.changes(landed.before.commit, landed.after.commit);
  return changes.filter((change) => change.after !== null).map((change) => change.path);
}
