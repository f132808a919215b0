import type { Input, Output } from '../../contract/operations.ts';
import { parsePagePath } from '../page-path.ts';
import { viewPage } from '../page-view.ts';
import { requirePage } from '../pages.ts';
import type { Session } from '../session.ts';

export async function readPage(
  { repository, index }: Session,
  input: Input<'read_page'>,
): Promise<Output<'read_page'>> {
  const path = parsePagePath(input.path);
  const snapshot =
    input.at === undefined
      ? await repository.head()
      : await repository.at(await repository.resolveCommit(input.at));
  const entry = await requirePage(snapshot, path, index, input.at !== undefined);
  return viewPage(snapshot, path, entry, input);
}
