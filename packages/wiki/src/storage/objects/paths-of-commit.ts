import type { GitObject, Oid } from '../storage.ts';
import { parseCommit } from './commit-text.ts';
import { parseTree } from './tree-text.ts';

/** Where a commit has each folder and file of those that `known` gives; its root is at the empty path. */
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
    for (const entry of parseTree(object.content)) visit(entry.oid, `${path}/${entry.name}`);
  };
  const object = known(commit);
  if (object?.type === 'commit') visit(parseCommit(object.content).tree, '');
  return paths;
}
