import { decodeName, type Name } from '@pagetree/wiki/names';
import { EMPTY_TREE, isOid, type ObjectType, type Oid, objectId } from '@pagetree/wiki/oid';
import { FOLDER_MODE, kindOf, parseTree, serializeTree, sortKey, type TreeEntry } from '@pagetree/wiki/tree';
import { parseRawCommit, type RawCommit } from './raw-commit.ts';

/** A commit of the remote with its trees from the root down to the parent of the folder. */
export interface Outside {
  commit: RawCommit | null;
  /** The commit as it is stored. Empty if the remote has none. */
  bytes: Uint8Array;
  /** Those that are there, from the root on. */
  trees: readonly Uint8Array[];
  /** The tree of the folder. The empty one if it is missing: git stores no empty folders. */
  folder: Oid;
}

/** The remote before its first commit. */
export const NOTHING: Outside = { commit: null, bytes: new Uint8Array(0), trees: [], folder: EMPTY_TREE };

export type ReadObject = (oid: Oid, type: ObjectType) => Uint8Array | null;

export type FoundOutside =
  | { kind: 'found'; outside: Outside }
  /** An object on the way is not there, or is damaged. */
  | { kind: 'missing'; oid: Oid }
  /** Something else has the name of the folder, or a folder has it in another spelling. */
  | { kind: 'no folder' };

/** Reads a commit and the way to its folder. What is read is what the ids name, if `read` answers by id. */
export function readOutside(oid: Oid, path: readonly Name[], read: ReadObject): FoundOutside {
  const bytes = read(oid, 'commit');
  const commit = bytes === null ? null : parseRawCommit(oid, bytes);
  if (bytes === null || commit === null) return { kind: 'missing', oid };
  const trees: Uint8Array[] = [];
  let at = commit.tree;
  for (const name of path) {
    const content = at === EMPTY_TREE ? new Uint8Array(0) : read(at, 'tree');
    if (content === null) return { kind: 'missing', oid: at };
    const { entries, isWhole } = parseTree(content);
    if (!isWhole) return { kind: 'missing', oid: at };
    trees.push(content);
    const entry = entries.find((each) => each.name === name);
    // Git on macOS and Windows takes both for one folder.
    if (entry === undefined && entries.some((each) => foldedOf(each.name) === foldedOf(name)))
      return { kind: 'no folder' };
    if (entry === undefined) return { kind: 'found', outside: { commit, bytes, trees, folder: EMPTY_TREE } };
    if (kindOf(entry) !== 'folder') return { kind: 'no folder' };
    at = entry.oid;
  }
  return { kind: 'found', outside: { commit, bytes, trees, folder: at } };
}

function foldedOf(name: Name): string {
  return (decodeName(name) ?? name).normalize('NFC').toLowerCase();
}

/** The trees from the root on with another folder in them, and nothing else changed. */
export function replaceFolder({ trees }: Outside, path: readonly Name[], folder: Oid): Uint8Array[] {
  const replaced: Uint8Array[] = [];
  let below = folder;
  for (const [depth, name] of [...path.entries()].reverse()) {
    const entries = parseTree(trees[depth] ?? new Uint8Array(0)).entries;
    const content = serializeTree(withEntry(entries, { mode: FOLDER_MODE, name, oid: below }));
    below = objectId('tree', content);
    if (depth === 0 || below !== EMPTY_TREE) replaced.unshift(content);
  }
  return replaced;
}

/** Without the entry if its folder is empty. The other entries stay as they are, even in another order than git's. */
function withEntry(entries: readonly TreeEntry[], entry: TreeEntry): TreeEntry[] {
  const place = entries.findIndex(({ name }) => name === entry.name);
  if (entry.oid === EMPTY_TREE) return entries.filter((_, at) => at !== place);
  const old = entries[place];
  if (old !== undefined) return entries.with(place, { ...entry, mode: old.mode });
  const next = entries.findIndex((each) => sortKey(each) > sortKey(entry));
  return entries.toSpliced(next < 0 ? entries.length : next, 0, entry);
}

/** The way to the folder of commits, as the report keeps it: read by ids, so that nothing else can be put in its place. */
export function readerOf(objects: readonly Uint8Array[]): ReadObject {
  const byId = new Map<string, Uint8Array>();
  for (const content of objects)
    for (const type of ['commit', 'tree'] as const) byId.set(`${type} ${objectId(type, content)}`, content);
  return (oid, type) => (isOid(oid) ? (byId.get(`${type} ${oid}`) ?? null) : null);
}
