import type { Input, Output } from '../../../contract/operations.ts';
import { inTurns, type Steps } from '../../../scheduling/in-turns.ts';
import { commitAt } from '../../commit-at.ts';
import { isHidden, parseTreePath } from '../../paths/page-path.ts';
import { spelledFolders } from '../../paths/spellings.ts';
import { countThatFits } from '../../reply-budget.ts';
import type { Session } from '../../session.ts';
import { compareText } from '../../text/text-order.ts';
import { noFolder } from './list-folder.ts';

export async function listFolders(
  session: Session,
  { folder, depth, at }: Input<'list_folders'>,
): Promise<Output<'list_folders'>> {
  const { repository, index } = session;
  const snapshot =
    at === undefined ? await repository.head() : await repository.at(await commitAt(session, at));
  const { commit } = snapshot;
  const path = folder === '' ? '' : parseTreePath(folder);
  if (path !== '' && (await Array.fromAsync(spelledFolders(snapshot, path))).length === 0)
    throw noFolder(folder);
  const paths = commit === null ? [] : await index.paths(commit);
  const counts = await inTurns(countSteps(paths, path === '' ? '' : `${path}/`, depth));
  const rows = [...counts].map(([path, pages]) => ({ path, pages }));
  // What does not fit are the deepest.
  const shallowFirst = rows.toSorted(
    (a, b) => depthOf(a.path) - depthOf(b.path) || compareText(a.path, b.path),
  );
  const folders = shallowFirst.slice(0, countThatFits(shallowFirst));
  return { commit, folders: folders.sort((a, b) => compareText(a.path, b.path)), total: rows.length };
}

/** For each folder below `above`, so many levels deep, the number of pages in it and below it. */
function* countSteps(paths: readonly string[], above: string, depth: number): Steps<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const path of paths) {
    yield;
    if (!path.startsWith(above) || isHidden(path.slice(above.length))) continue;
    let end = above.length;
    for (let level = 0; level < depth; level += 1) {
      end = path.indexOf('/', end + 1);
      if (end === -1) break;
      const folder = path.slice(0, end);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  return counts;
}

function depthOf(path: string): number {
  return path.split('/').length;
}
