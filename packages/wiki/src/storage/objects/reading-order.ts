import type { Oid } from '../storage.ts';
import type { Breathe } from './breathing.ts';
import { parseCommit } from './commit-text.ts';
import type { SourceEntry } from './pack-source.ts';
import { searchForEntries } from './tree-text.ts';

/** An object and where the newest commit has it, null where no tree here names it. */
interface Placed {
  entry: SourceEntry;
  path: string | null;
}

/** Commits first, then trees, then pages, each from the newest to the oldest, with where a tree names them. */
export async function readingOrder(
  entries: ReadonlyMap<Oid, SourceEntry>,
  breathe: Breathe,
): Promise<Placed[]> {
  const commits = await newestFirst(entries, breathe);
  const unplaced = new Map(entries);
  const placed = await takePlaced(unplaced, commits, breathe);
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
  tree: Oid;
  /** Those that are here. */
  parents: Oid[];
}

async function newestFirst(entries: ReadonlyMap<Oid, SourceEntry>, breathe: Breathe): Promise<Commit[]> {
  const commits = new Map<Oid, Commit>();
  for (const entry of entries.values()) {
    if (entry.type !== 'commit') continue;
    const { tree, parents } = parseCommit(entry.content);
    commits.set(entry.oid, { entry, tree, parents: parents.filter((parent) => entries.has(parent)) });
    await breathe();
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

/** Takes out the folders and pages that commits lead to, each folder before what is in it. */
async function takePlaced(
  unplaced: Map<Oid, SourceEntry>,
  commits: readonly Commit[],
  breathe: Breathe,
): Promise<Placed[]> {
  const entriesAmong = searchForEntries(unplaced);
  const placed: Placed[] = [];
  for (const { tree } of commits) {
    const waiting = [{ oid: tree, path: '' }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { oid, path } = next;
      const entry = unplaced.get(oid);
      if (!entry) continue;
      unplaced.delete(oid);
      placed.push({ entry, path });
      if (entry.type !== 'tree') continue;
      const children = entriesAmong(entry.content);
      for (const child of children.reverse()) waiting.push({ oid: child.oid, path: `${path}/${child.name}` });
      await breathe();
    }
  }
  return placed;
}
