import type { Input, Output } from '../../../contract/operations.ts';
import { findPage, placeForPage, requirePage } from '../../pages/find-page.ts';
import { encodePage, readForChange } from '../../pages/page-content.ts';
import { parseNewPagePath, parsePagePath } from '../../paths/page-path.ts';
import type { Session } from '../../session.ts';
import { appendText } from '../../text/editing/edits.ts';
import { requireVersion } from '../../writing/conflicts.ts';
import { requireKeptText } from '../../writing/kept-text.ts';
import { landPage, type PagePlan } from '../../writing/write.ts';

export async function appendToPage(
  session: Session,
  input: Input<'append_to_page'>,
): Promise<Output<'append_to_page'>> {
  return landPage(session, 'append_to_page', input, planAppend(session, input));
}

export function planAppend(session: Session, input: Input<'append_to_page'>): PagePlan {
  const path = parsePagePath(input.path);
  const apply: PagePlan['apply'] = async (base) => {
    const existing = await findPage(base, path);
    await requireVersion(session, base, path, existing, input.version);
    if (existing === null && input.create) {
      const place = await placeForPage(base, parseNewPagePath(path));
      const content = encodePage(path, appendText('', input.content));
      return { message: input.message ?? `Create ${path}`, files: [{ path: place, content }] };
    }
    const entry = existing ?? (await requirePage(base, path, session.index));
    const present = await readForChange(base, path, entry);
    const text = appendText(present.text, input.content);
    const content = encodePage(path, text, present.bom);
    const { length } = present.text;
    const splice = { start: length, end: length, length: text.length - length };
    requireKeptText(path, entry, present.text, text, splice);
    return {
      message: input.message ?? `Append to ${path}`,
      files: [{ path: entry.path, content, mode: entry.mode }],
      splices: [[splice]],
    };
  };
  return { path, apply, content: 'kept' };
}
