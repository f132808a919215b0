import { limits } from '../../contract/limits.ts';
import type { Input, Output } from '../../contract/operations.ts';
import { requireVersion } from '../conflicts.ts';
import { editFailed } from '../edit-problems.ts';
import { encodePage, readForChange } from '../page-content.ts';
import { parsePagePath } from '../page-path.ts';
import { requirePage } from '../pages.ts';
import type { Session } from '../session.ts';
import { applyEdits } from '../text/edits.ts';
import { type Apply, describePage, landPage, type PagePlan, preview } from '../write.ts';

export async function editPage(session: Session, input: Input<'edit_page'>): Promise<Output<'edit_page'>> {
  const plan = planEdit(session, input);
  if (!input.dry_run) return landPage(session, 'edit_page', input, plan);
  const { path, apply } = plan;
  return { path, ...(await describePage(await preview(session, apply), path)) };
}

export function planEdit(session: Session, input: Input<'edit_page'>): PagePlan {
  const path = parsePagePath(input.path);
  const apply: Apply = async (base) => {
    const entry = await requirePage(base, path, session.index);
    await requireVersion(session, base, path, entry, input.version);
    const present = await readForChange(base, path, entry);
    const edited = applyEdits(present.text, input.edits, limits.pageBytes);
    if (!edited.ok) throw editFailed(path, entry, edited.edit, edited.problem);
    const message = input.message ?? `Edit ${path}`;
    if (edited.text === present.text) return { message, files: [] };
    const content = encodePage(path, edited.text, present.bom);
    return { message, files: [{ path: entry.path, content, mode: entry.mode }] };
  };
  return { path, apply };
}
