import type { Input, Output } from '../../contract/operations.ts';
import { requireVersion } from '../conflicts.ts';
import { parsePagePath } from '../page-path.ts';
import { findPage, pageNotFound } from '../pages.ts';
import { countThatFits } from '../reply-budget.ts';
import type { Session } from '../session.ts';
import { type Apply, describePage, land, type PagePlan } from '../write.ts';

export async function deletePage(
  session: Session,
  input: Input<'delete_page'>,
): Promise<Output<'delete_page'>> {
  const { path, apply } = planDelete(session, input);
  const landed = await land(session, 'delete_page', input, apply);
  const commit = landed.after.commit;
  const links = commit === null ? [] : (await session.index.links(commit, path)).linkedFrom;
  const described = await describePage(landed, path);
  const shown = countThatFits(links, described.diff.length * 2 + 2_000);
  return { path, ...described, broken_links: links.slice(0, shown), broken_total: links.length };
}

export function planDelete(session: Session, input: Input<'delete_page'>): PagePlan {
  const path = parsePagePath(input.path);
  const apply: Apply = async (base) => {
    const entry = await findPage(base, path);
    // No near names: a model that deletes what was suggested would delete what nobody named.
    if (entry === null) throw pageNotFound(path);
    await requireVersion(session, base, path, entry, input.version);
    return { message: input.message ?? `Delete ${path}`, files: [{ path: entry.path, remove: true }] };
  };
  return { path, apply };
}
