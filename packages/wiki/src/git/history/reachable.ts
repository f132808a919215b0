import type { ObjectType, Oid } from '../../formats/oid.ts';
import { kindOf } from '../../formats/tree.ts';
import type { Objects } from '../objects.ts';

export interface ReachableObject {
  oid: Oid;
  type: ObjectType;
}

/**
 * Every object of a commit's whole history, each once, yielded before it is read. Skips submodules, whose
 * commits are elsewhere.
 */
export async function* reachable(objects: Objects, tip: Oid): AsyncGenerator<ReachableObject> {
  const seen = new Set<Oid>([tip]);
  const commits = [tip];
  for (let commit = commits.pop(); commit !== undefined; commit = commits.pop()) {
    yield { oid: commit, type: 'commit' };
    const { tree, parents } = await objects.commit(commit);
    for (const parent of parents) {
      if (seen.has(parent)) continue;
      seen.add(parent);
      commits.push(parent);
    }
    yield* reachableFromTree(objects, tree, seen);
  }
}

async function* reachableFromTree(
  objects: Objects,
  root: Oid,
  seen: Set<Oid>,
): AsyncGenerator<ReachableObject> {
  const trees = [root];
  for (let tree = trees.pop(); tree !== undefined; tree = trees.pop()) {
    if (seen.has(tree)) continue;
    seen.add(tree);
    yield { oid: tree, type: 'tree' };
    for (const item of (await objects.tree(tree)).items) {
      const kind = kindOf(item);
      if (kind === 'folder') trees.push(item.oid);
      else if (kind !== 'submodule' && !seen.has(item.oid)) {
        seen.add(item.oid);
        yield { oid: item.oid, type: 'blob' };
      }
    }
  }
}
