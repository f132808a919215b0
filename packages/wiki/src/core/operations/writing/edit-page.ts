import { limits } from '../../../contract/limits.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { inTurns } from '../../../scheduling/in-turns.ts';
import { requirePage } from '../../pages/find-page.ts';
import { encodePage, readForChange } from '../../pages/page-content.ts';
import { parsePagePath } from '../../paths/page-path.ts';
import type { Session } from '../../session.ts';
import { editSteps } from '../../text/editing/edits.ts';
import { requireVersion } from '../../writing/conflicts.ts';
import { editFailed } from '../../writing/edit-problems.ts';
import { describeWrite, landPage, type PagePlan, preview } from '../../writing/write.ts';

export async function editPage(session: Session, input: Input<'edit_page'>): Promise<Output<'edit_page'>> {
  const plan = planEdit(session, input);
  if (!input.dry_run) return landPage(session, 'edit_page', input, plan);
  const { path, apply, content } = plan;
  return describeWrite(session, await preview(session, apply), path, content);
}

export function planEdit(session: Session, input: Input<'edit_page'>): PagePlan {
  const path = parsePagePath(input.path);
  const apply: PagePlan['apply'] = async (base) => {
    const entry = await requirePage(base, path, session.index);
    await requireVersion(session, base, path, entry, input.version);
    const present = await readForChange(base, path, entry);
    const edited = await inTurns(editSteps(present.text, input.edits, limits.pageBytes));
    if (!edited.ok) throw editFailed(path, entry, edited.edit, edited.problem);
    const message = input.message ?? `Edit ${path}`;
    if (edited.text === present.text) return { message, files: [] };
    const content = encodePage(path, edited.text, present.bom);
    const files = [{ path: entry.path, content, mode: entry.mode }];
    return { message, files, splices: edited.splices };
  };
  return { path, apply, content: 'kept' };
}
