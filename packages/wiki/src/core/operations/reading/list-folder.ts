import { WikiError } from '../../../contract/errors.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { folderNames, levelsAround } from '../../pages/folder-names.ts';
import { parseTreePath } from '../../paths/page-path.ts';
import type { Session } from '../../session.ts';

export async function listFolder(
  { repository }: Session,
  { folder, at }: Input<'list_folder'>,
): Promise<Output<'list_folder'>> {
  const snapshot =
    at === undefined ? await repository.head() : await repository.at(await repository.resolveCommit(at));
  const path = folder === '' ? '' : parseTreePath(folder);
  const names = await folderNames(snapshot, path);
  if (names === null) throw noFolder(folder);
  return {
    commit: snapshot.commit,
    ...names,
    around: path === '' ? [] : await levelsAround(snapshot, `${path}/`),
  };
}

export function noFolder(folder: string): WikiError {
  return new WikiError('not_found', {
    happened: `There is no folder ${JSON.stringify(folder.slice(0, 200))}.`,
    now: 'Nothing was changed.',
    next: 'Look at the folder that it would lie in.',
  });
}
