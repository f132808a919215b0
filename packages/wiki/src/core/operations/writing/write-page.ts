import { WikiError } from '../../../contract/errors.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { findPage, placeForPage } from '../../pages/find-page.ts';
import { encodePage } from '../../pages/page-content.ts';
import { parseNewPagePath, parsePagePath } from '../../paths/page-path.ts';
import type { FileWrite, Snapshot, TreeEntry } from '../../ports.ts';
import type { Session } from '../../session.ts';
import { decodeText } from '../../text/text-encoding.ts';
import { alreadyExists, requireVersion } from '../../writing/conflicts.ts';
import { type Apply, landPage, type PagePlan } from '../../writing/write.ts';

export async function writePage(session: Session, input: Input<'write_page'>): Promise<Output<'write_page'>> {
  return landPage(session, 'write_page', input, planWrite(session, input));
}

export function planWrite(session: Session, input: Input<'write_page'>): PagePlan {
  const path = parsePagePath(input.path);
  const apply: Apply = async (base) => {
    const entry = await findPage(base, path);
    await requireVersion(session, base, path, entry, input.version);
    if (entry === null) {
      return { message: input.message ?? `Create ${path}`, files: [await create(base, path, input.content)] };
    }
    if (input.version === undefined) throw alreadyExists(path, entry, readFirst);
    return {
      message: input.message ?? `Update ${path}`,
      files: await replace(base, path, entry, input),
    };
  };
  return { path, apply, content: 'given' };
}

async function create(base: Snapshot, path: string, content: string): Promise<FileWrite> {
  const place = await placeForPage(base, parseNewPagePath(path));
  return { path: place, content: encodePage(path, content) };
}

async function replace(
  base: Snapshot,
  path: string,
  entry: TreeEntry,
  { content, allow_shrink }: Input<'write_page'>,
): Promise<FileWrite[]> {
  const present = decodeText(await base.blob(entry.oid));
  if (present.valid && present.text === content) return [];
  const isCut = present.text.length > content.length && present.text.startsWith(content);
  if (isCut && !allow_shrink) throw wouldTruncate(path, entry, content.length, present.text.length);
  return [{ path: entry.path, content: encodePage(path, content, present.bom), mode: entry.mode }];
}

const readFirst = 'Read it first; then pass its version to replace it, or use edit_page or append_to_page.';

function wouldTruncate(path: string, entry: TreeEntry, given: number, present: number): WikiError {
  return new WikiError(
    'would_truncate',
    {
      happened:
        given === 0
          ? `The content is empty, but ${JSON.stringify(path)} has ${present} characters.`
          : `The content is just the first ${given} of the ${present} characters of ${JSON.stringify(path)}: it looks cut off.`,
      now: `The page is unchanged at version ${entry.oid}.`,
      next: 'Send the whole page, or change a part with edit_page; to cut the page on purpose set allow_shrink.',
    },
    { path, version: entry.oid, given, present },
  );
}
