import type { Input, Output } from '../../contract/operations.ts';
import { requireVersion } from '../conflicts.ts';
import { encodePage, readForChange } from '../page-content.ts';
import { parseNewPagePath, parsePagePath } from '../page-path.ts';
import { findPage, placeForPage, requirePage } from '../pages.ts';
import type { Session } from '../session.ts';
import { appendText } from '../text/edits.ts';
import { type Apply, landPage, type PagePlan } from '../write.ts';

export async function appendToPage(
  session: Session,
  input: Input<'append_to_page'>,
): Promise<Output<'append_to_page'>> {
  return landPage(session, 'append_to_page', input, planAppend(session, input));
}

export function planAppend(session: Session, input: Input<'append_to_page'>): PagePlan {
  const path = parsePagePath(input.path);
  const apply: Apply = async (base) => {
    const existing = await findPage(base, path);
    await requireVersion(session, base, path, existing, input.version);
    if (existing === null && input.create) {
      const place = await placeForPage(base, parseNewPagePath(path));
      const content = encodePage(path, appendText('', input.content));
      return { message: input.message ?? `Create ${path}`, files: [{ path: place, content }] };
    }
    const entry = existing ?? (await requirePage(base, path, session.index));
    const present = await readForChange(base, path, entry);
    const content = encodePage(path, appendText(present.text, input.content), present.bom);
    return {
      message: input.message ?? `Append to ${path}`,
      files: [{ path: entry.path, content, mode: entry.mode }],
    };
  };
  return { path, apply };
}
