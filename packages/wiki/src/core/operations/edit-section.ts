import { WikiError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/operations.ts';
import { requireVersion } from '../conflicts.ts';
import { encodePage, readForChange } from '../page-content.ts';
import { parsePagePath } from '../page-path.ts';
import { requirePage } from '../pages.ts';
import type { TreeEntry } from '../ports.ts';
import { requireSection } from '../sections.ts';
import type { Session } from '../session.ts';
import type { Heading } from '../text/markdown.ts';
import { scanBlocks } from '../text/markdown-blocks.ts';
import type { Section } from '../text/outline.ts';
import { editSection as editText } from '../text/section-edit.ts';
import { type Apply, landPage } from '../write.ts';

export async function editSection(
  session: Session,
  input: Input<'edit_section'>,
): Promise<Output<'edit_section'>> {
  const path = parsePagePath(input.path);
  const apply: Apply = async (base) => {
    const entry = await requirePage(base, path, session.index);
    await requireVersion(session, base, path, entry, input.version);
    const present = await readForChange(base, path, entry);
    const { headings } = scanBlocks(present.text);
    const section = requireSection(path, entry, present.text, headings, input.heading);
    const { operation, content, include_subsections } = input;
    const subsections = headings.filter(({ start }) => start >= section.ownEnd && start < section.end);
    if (operation === 'replace' && include_subsections === undefined && subsections.length > 0) {
      throw wouldDropSubsections(path, entry, section, subsections);
    }
    const includeSubsections = include_subsections ?? false;
    const text = editText(present.text, section, { operation, content, includeSubsections });
    const message = input.message ?? `Edit ${path}, section ${section.heading.text}`;
    if (text === present.text) return { message, files: [] };
    return {
      message,
      files: [{ path: entry.path, content: encodePage(path, text, present.bom), mode: entry.mode }],
    };
  };
  return landPage(session, 'edit_section', input, { path, apply });
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
