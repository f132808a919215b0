import { parseCommit } from '../../../formats/commit.ts';
import type { Oid } from '../../../formats/oid.ts';
import { searchForEntries } from '../../../formats/tree-search.ts';
import type { Yield } from '../../../scheduling/yielding.ts';
import type { SourceEntry } from './pack-source.ts';

/** An object and its path in the newest commit that has it; null if no tree here names it. */
interface Placed {
  entry: SourceEntry;
  path: string | null;
}

/**
 * Commits first, then trees, then pages, each from newest to oldest, with their paths if a tree names them.
 */
export async function readingOrder(entries: ReadonlyMap<Oid, SourceEntry>, pause: Yield): Promise<Placed[]> {
  const commits = await newestFirst(entries, pause);
  const unplaced = new Map(entries);
  const placed = await takePlaced(unplaced, commits, pause);
  for (const entry of unplaced.values()) placed.push({ entry, path: null });
  const others = placed.filter(({ entry }) => entry.type !== 'commit');
  return [
    ...commits.map(({ entry }) => ({ entry, path: null })),
    ...others.filter(({ entry }) => entry.type === 'tree'),
    ...others.filter(({ entry }) => entry.type !== 'tree'),
  ];
}

interface Commit {
  entry: SourceEntry;
  tree: Oid | null;
  /** The parents that are among these objects. */
  parents: Oid[];
}

async function newestFirst(entries: ReadonlyMap<Oid, SourceEntry>, pause: Yield): Promise<Commit[]> {
  const commits = new Map<Oid, Commit>();
  for (const entry of entries.values()) {
    if (entry.type !== 'commit') continue;
    const { tree, parents } = parseCommit(entry.content);
    commits.set(entry.oid, { entry, tree, parents: parents.filter((parent) => entries.has(parent)) });
    await pause();
  }
  const children = new Map<Oid, number>();
  for (const { parents } of commits.values())
    for (const parent of parents) children.set(parent, (children.get(parent) ?? 0) + 1);
  const ordered = [...commits.values()].filter(({ entry }) => !children.has(entry.oid));
  for (const { parents } of ordered) {
    for (const parent of parents) {
      const left = (children.get(parent) ?? 0) - 1;
      children.set(parent, left);
      const commit = commits.get(parent);
      if (left === 0 && commit) ordered.push(commit);
    }
  }
  return ordered;
}

/** Takes out the folders and pages that commits lead to, each folder before its entries. */
async function takePlaced(
  unplaced: Map<Oid, SourceEntry>,
  commits: readonly Commit[],
  pause: Yield,
): Promise<Placed[]> {
  const entriesAmong = searchForEntries(unplaced);
  const placed: Placed[] = [];
  for (const { tree } of commits) {
    const waiting = tree === null ? [] : [{ oid: tree, path: '' }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { oid, path } = next;
      const entry = unplaced.get(oid);
      if (!entry) continue;
      unplaced.delete(oid);
      placed.push({ entry, path });
      if (entry.type !== 'tree') continue;
      const children = entriesAmong(entry.content);
      for (const child of children.reverse()) waiting.push({ oid: child.oid, path: `${path}/${child.name}` });
      await pause();
    }
  }
  return placed;
}
