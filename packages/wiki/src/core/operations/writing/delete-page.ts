import type { Input, Output } from '../../../contract/operations.ts';
import { findPage, pageNotFound } from '../../pages/find-page.ts';
import { parsePagePath } from '../../paths/page-path.ts';
import { countThatFits, serializedLength } from '../../reply-budget.ts';
import type { Session } from '../../session.ts';
import { requireVersion } from '../../writing/conflicts.ts';
import { type Apply, describeWrite, land, type PagePlan } from '../../writing/write.ts';

export async function deletePage(
  session: Session,
  input: Input<'delete_page'>,
): Promise<Output<'delete_page'>> {
  const { path, apply } = planDelete(session, input);
  const landed = await land(session, 'delete_page', input, apply);
  const commit = landed.after.commit;
  const links = commit === null ? [] : (await session.index.links(commit, path)).linkedFrom;
  const described = await describeWrite(session, landed, path, 'given');
  const shown = countThatFits(links, serializedLength(described) + 2_000);
  return { ...described, broken_links: links.slice(0, shown), broken_total: links.length };
}

export function planDelete(session: Session, input: Input<'delete_page'>): PagePlan {
  const path = parsePagePath(input.path);
  const apply: Apply = async (base) => {
    const entry = await findPage(base, path);
    // No suggestions: a model that deletes a suggested page would delete one that nobody named.
    if (entry === null) throw pageNotFound(path);
    await requireVersion(session, base, path, entry, input.version);
    return { message: input.message ?? `Delete ${path}`, files: [{ path: entry.path, remove: true }] };
  };
  return { path, apply, content: 'given' };
}
