import type { Input, Output } from '../../../contract/operations.ts';
import { pagePathOf } from '../../paths/page-path.ts';
import type { Session } from '../../session.ts';

/** Needs no index: the caller may ask several times a second, and mostly nothing has changed. */
export async function listChanged(
  { repository }: Session,
  { known }: Input<'list_changed'>,
): Promise<Output<'list_changed'>> {
  const { commit } = await repository.head();
  if (known === undefined || commit === null || known === commit)
    return { commit, pages: [], files: [], complete: true };
  const { files } = await repository.visibleChanges(known, commit);
  const paths = files.map(({ path }) => path);
  const shown = paths.slice(0, MAX_PATHS);
  return {
    commit,
    pages: shown.flatMap((path) => pagePathOf(path) ?? []),
    files: shown.filter((path) => pagePathOf(path) === null),
    complete: shown.length === paths.length,
  };
}

const MAX_PATHS = 200;
