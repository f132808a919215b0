import { encodeName } from '@pagetree/wiki/names';
import { type GitObject, type Oid, objectId } from '@pagetree/wiki/oid';
import { bounded } from './describe-commits.ts';
import { type Outside, replaceFolder } from './outside.ts';
import { buildCommit, type RawCommit } from './raw-commit.ts';

export interface LineCommit extends RawCommit {
  /** Commits before it that come with it, newest first. */
  further?: readonly Oid[];
}

export interface Brought {
  /** The remote afterwards. */
  outside: Outside;
  /** The new commits and trees of the remote, above the folder. */
  objects: Map<Oid, GitObject>;
  /** The folders of the new commits. */
  folders: Oid[];
}

/**
 * Makes a commit of the remote of each commit of the wiki that changes the folder, one after another. What is outside of
 * the folder stays as it is.
 */
export function bringCommits(line: readonly LineCommit[], to: Outside, folder: string): Brought {
  const path = folder.split('/').map(encodeName);
  const objects = new Map<Oid, GitObject>();
  const folders: Oid[] = [];
  let outside = to;
  for (const { oid, tree, words, further } of line) {
    if (tree === outside.folder) continue;
    const trees = replaceFolder(outside, path, tree);
    const { commit: before } = outside;
    const commit = buildCommit({
      tree: objectId('tree', trees[0] ?? new Uint8Array(0)),
      parents: before === null ? [] : [before.oid],
      words: bounded(words),
      stands: { side: 'wiki', oid, folder, brings: further?.length ? { tree, commits: further } : undefined },
    });
    objects.set(commit.oid, { type: 'commit', content: commit.bytes });
    for (const content of trees) objects.set(objectId('tree', content), { type: 'tree', content });
    folders.push(tree);
    outside = { commit, bytes: commit.bytes, trees, folder: tree };
  }
  return { outside, objects, folders };
}

/** The commits after `from` up to `to`, oldest first. Null if they are no line, or too many. */
export function lineTo(
  to: RawCommit,
  from: Oid | null,
  commits: ReadonlyMap<Oid, RawCommit>,
): RawCommit[] | null {
  const line: RawCommit[] = [];
  for (let commit: RawCommit | undefined = to; commit !== undefined && line.length < MAX_LINE; ) {
    line.push(commit);
    const [parent, ...others]: readonly Oid[] = commit.parents;
    if (parent === undefined || others.length > 0) return null;
    if (parent === from) return line.reverse();
    commit = commits.get(parent);
  }
  return null;
}

const MAX_LINE = 200;
