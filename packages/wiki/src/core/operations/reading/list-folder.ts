import { WikiError } from '../../../contract/errors.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { pagePathOf, parseFolderPath } from '../../paths/page-path.ts';
import { spelledFolders } from '../../paths/spellings.ts';
import type { Session } from '../../session.ts';
import { normalForm } from '../../text/normal-form.ts';
import { compareText } from '../../text/text-order.ts';

export async function listFolder(
  { repository }: Session,
  { folder, at }: Input<'list_folder'>,
): Promise<Output<'list_folder'>> {
  const snapshot =
    at === undefined ? await repository.head() : await repository.at(await repository.resolveCommit(at));
  // One folder can exist in several Unicode forms, with different pages in each.
  const paths =
    folder === '' ? [''] : await Array.fromAsync(spelledFolders(snapshot, parseFolderPath(folder)));
  if (paths.length === 0) throw noFolder(folder);
  const entries = await Promise.all(paths.map(async (path) => (await snapshot.folder(path)) ?? []));
  const shown = entries.flat().filter(({ name }) => !name.startsWith('.'));
  const named = (kind: 'file' | 'folder') =>
    shown.filter((entry) => entry.kind === kind).map(({ name }) => name);
  const files = named('file');
  return {
    commit: snapshot.commit,
    folders: inOrder(named('folder').map((name) => normalForm(name))),
    pages: inOrder(files.flatMap((name) => pagePathOf(name) ?? [])),
    files: inOrder(files.filter((name) => pagePathOf(name) === null)),
  };
}

function inOrder(names: readonly string[]): string[] {
  return [...new Set(names)].toSorted(compareText);
}

function noFolder(folder: string): WikiError {
  return new WikiError('not_found', {
    happened: `There is no folder ${JSON.stringify(folder.slice(0, 200))}.`,
    now: 'Nothing was changed.',
    next: 'Look at the folder that it would lie in.',
  });
}
