import { WikiError } from '../../../contract/errors.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { inTurns } from '../../../scheduling/in-turns.ts';
import { requirePage } from '../../pages/find-page.ts';
import { encodePage, readForChange } from '../../pages/page-content.ts';
import { parsePagePath } from '../../paths/page-path.ts';
import type { TreeEntry } from '../../ports.ts';
import type { Session } from '../../session.ts';
import type { FrontmatterProblem } from '../../text/frontmatter/frontmatter.ts';
import { frontmatterEditSteps } from '../../text/frontmatter/frontmatter-edit.ts';
import { requireVersion } from '../../writing/conflicts.ts';
import { type Apply, landPage } from '../../writing/write.ts';

export async function updateFrontmatter(
  session: Session,
  input: Input<'update_frontmatter'>,
): Promise<Output<'update_frontmatter'>> {
  const path = parsePagePath(input.path);
  const edit = { set: input.set ?? {}, unset: input.unset ?? [] };
  requireOneMeaning(edit);
  const apply: Apply = async (base) => {
    const entry = await requirePage(base, path, session.index);
    await requireVersion(session, base, path, entry, input.version);
    const present = await readForChange(base, path, entry);
    const edited = await inTurns(frontmatterEditSteps(present.text, edit));
    if (!edited.ok) throw unreadable(path, entry, present.text, edited.problem);
    const message = input.message ?? `Update frontmatter of ${path}`;
    if (edited.text === present.text) return { message, files: [] };
    return {
      message,
      files: [{ path: entry.path, content: encodePage(path, edited.text, present.bom), mode: entry.mode }],
    };
  };
  return landPage(session, 'update_frontmatter', input, { path, apply, content: 'kept' });
}

function requireOneMeaning({ set, unset }: { set: Record<string, unknown>; unset: string[] }): void {
  const both = unset.filter((key) => Object.hasOwn(set, key));
  if (both.length === 0 && Object.keys(set).length + unset.length > 0) return;
  throw new WikiError('invalid_input', {
    happened:
      both.length === 0
        ? 'Neither set nor unset names a key.'
        : `set and unset both name ${both.map((key) => JSON.stringify(key)).join(', ')}.`,
    now: 'Nothing was changed.',
    next: 'Name each key once: in set with its value, or in unset to remove it.',
  });
}

function unreadable(
  path: string,
  entry: TreeEntry,
  text: string,
  { line, reason }: FrontmatterProblem,
): WikiError {
  const written = (text.split('\n')[line - 1] ?? '').trimEnd().slice(0, 200);
  return new WikiError(
    'invalid_input',
    {
      happened: `The frontmatter of ${JSON.stringify(path)} cannot be changed so: at line ${line}, ${JSON.stringify(written)}, ${JSON.stringify(reason.slice(0, 200).toWellFormed())}.`,
      now: `The page is unchanged at version ${entry.oid}.`,
      next: 'Correct the lines between the two --- with edit_page.',
    },
    { path, version: entry.oid, line },
  );
}
