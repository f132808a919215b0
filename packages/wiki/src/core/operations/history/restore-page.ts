import { WikiError } from '../../../contract/errors.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { findPage, placeForPage } from '../../pages/find-page.ts';
import { parseNewPagePath, parsePagePath } from '../../paths/page-path.ts';
import type { Session } from '../../session.ts';
import { requireVersion } from '../../writing/conflicts.ts';
import { type Apply, landPage } from '../../writing/write.ts';

export async function restorePage(
  session: Session,
  input: Input<'restore_page'>,
): Promise<Output<'restore_page'>> {
  const path = parsePagePath(input.path);
  const commit = await session.repository.resolveCommit(input.commit);
  const wanted = await findPage(await session.repository.at(commit), path);
  if (wanted === null) throw wasNotThere(path, commit);

  const apply: Apply = async (base) => {
    const present = await findPage(base, path);
    await requireVersion(session, base, path, present, input.version);
    const message = input.message ?? `Restore ${path} as of ${commit.slice(0, 10)}`;
    if (present?.oid === wanted.oid) return { message, files: [] };
    const place = present?.path ?? (await placeForPage(base, parseNewPagePath(path)));
    return { message, files: [{ path: place, oid: wanted.oid, mode: wanted.mode }] };
  };
  return landPage(session, 'restore_page', input, { path, apply, content: 'given' });
}

function wasNotThere(path: string, commit: string): WikiError {
  return new WikiError(
    'not_found',
    {
      happened: `There was no page ${JSON.stringify(path)} after commit ${commit}.`,
      now: 'Nothing was changed.',
      next: 'See get_history of the page: a commit that deleted it has it no more, the one before it does.',
    },
    { path, commit },
  );
}
