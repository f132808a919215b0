import { WikiError } from '../../../contract/errors.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { inTurns } from '../../../scheduling/in-turns.ts';
import { requirePage } from '../../pages/find-page.ts';
import { encodePage, readForChange } from '../../pages/page-content.ts';
import { requireSection } from '../../pages/sections.ts';
import { parsePagePath } from '../../paths/page-path.ts';
import type { TreeEntry } from '../../ports.ts';
import type { Session } from '../../session.ts';
import type { Heading } from '../../text/markdown/markdown.ts';
import { blockSteps } from '../../text/markdown/markdown-blocks.ts';
import type { Section } from '../../text/markdown/outline.ts';
import { editSection as editText } from '../../text/markdown/section-edit.ts';
import { requireVersion } from '../../writing/conflicts.ts';
import { requireKeptText } from '../../writing/kept-text.ts';
import { landPage, type PagePlan } from '../../writing/write.ts';

export async function editSection(
  session: Session,
  input: Input<'edit_section'>,
): Promise<Output<'edit_section'>> {
  return landPage(session, 'edit_section', input, planSection(session, input));
}

export function planSection(session: Session, input: Input<'edit_section'>): PagePlan {
  const path = parsePagePath(input.path);
  const apply: PagePlan['apply'] = async (base) => {
    const entry = await requirePage(base, path, session.index);
    await requireVersion(session, base, path, entry, input.version);
    const present = await readForChange(base, path, entry);
    const { headings } = await inTurns(blockSteps(present.text));
    const section = requireSection(path, entry, present.text, headings, input.heading);
    const { operation, content, include_subsections } = input;
    const subsections = headings.filter(({ start }) => start >= section.ownEnd && start < section.end);
    if (operation === 'replace' && include_subsections === undefined && subsections.length > 0) {
      throw wouldDropSubsections(path, entry, section, subsections);
    }
    const includeSubsections = include_subsections ?? false;
    const edit = { operation, content, includeSubsections };
    const { text, splice } = editText(present.text, section, edit);
    const message = input.message ?? `Edit ${path}, section ${section.heading.text}`;
    if (text === present.text) return { message, files: [] };
    requireKeptText(path, entry, present.text, text, splice);
    return {
      message,
      files: [{ path: entry.path, content: encodePage(path, text, present.bom), mode: entry.mode }],
      splices: [[splice]],
    };
  };
  return { path, apply, content: 'kept' };
}

function wouldDropSubsections(
  path: string,
  entry: TreeEntry,
  { heading }: Section,
  subsections: readonly Heading[],
): WikiError {
  const names = subsections.slice(0, 20).map(({ text }) => text.slice(0, 200));
  return new WikiError(
    'would_truncate',
    {
      happened: `The section ${JSON.stringify(heading.text)} of ${JSON.stringify(path)} has ${subsections.length} ${subsections.length === 1 ? 'subsection' : 'subsections'} that replacing it could drop: ${names.map((name) => JSON.stringify(name)).join(', ')}.`,
      now: `The page is unchanged at version ${entry.oid}.`,
      next: 'Set include_subsections: false replaces only the text before the first of them, true replaces them too.',
    },
    { path, version: entry.oid, subsections: names },
  );
}
