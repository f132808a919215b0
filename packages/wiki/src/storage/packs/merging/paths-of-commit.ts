import { parseCommit } from '../../../formats/commit.ts';
import type { GitObject, Oid } from '../../../formats/oid.ts';
import { parseTree } from '../../../formats/tree.ts';

/**
 * The paths of a commit's folders and files among the trees that `known` returns. Its root is at the empty
 * path.
 */
export function pathsOfCommit(
  commit: Oid,
  known: (oid: Oid) => GitObject | undefined,
): ReadonlyMap<Oid, string> {
  const paths = new Map<Oid, string>();
  const visit = (oid: Oid, path: string) => {
    const object = known(oid);
    if (!object || paths.has(oid)) return;
    paths.set(oid, path);
    if (object.type !== 'tree') return;
    for (const entry of parseTree(object.content).entries) visit(entry.oid, `${path}/${entry.name}`);
  };
  const object = known(commit);
  const tree = object?.type === 'commit' ? parseCommit(object.content).tree : null;
  if (tree !== null) visit(tree, '');
  return paths;
}
