import type { Oid } from '../../formats/oid.ts';
import { FOLDER_MODE, parseTree, SUBMODULE_MODE, serializeTree, type TreeEntry } from '../../formats/tree.ts';
import type { GatheringTransaction } from '../commits/transaction.ts';
import type { ObjectReader } from '../storage.ts';
import { isLost } from '../storage-error.ts';
import type { Soundness } from './soundness.ts';

/**
 * Rebuilds a tree that may lack objects: takes missing entries from older versions of it, newest first.
 * Returns null if nothing of it is left.
 */
export type Salvage = (newest: Oid, older: readonly Oid[], path: string) => Promise<Oid | null>;

export function openSalvage(
  soundness: Soundness,
  transaction: GatheringTransaction,
  commit: Oid,
  report: (path: string, kept: 'older version' | 'nothing') => void,
): Salvage {
  const isSound = (oid: Oid, path: string) => soundness.isSound(oid, path, commit);

  const salvage: Salvage = async (newest, older, path) => {
    if (await isSound(newest, path)) return newest;
    const entries = await entriesOf(transaction, newest);
    if (entries === null) return salvageOlder(older, path);
    const saved: TreeEntry[] = [];
    for (const entry of entries) {
      const below = path === '' ? entry.name : `${path}/${entry.name}`;
      const found = await salvageEntry(entry, () => earlier(older, entry), below);
      if (found) saved.push(found);
    }
    return transaction.write('tree', serializeTree(saved));
  };

  async function salvageOlder([next, ...rest]: readonly Oid[], path: string): Promise<Oid | null> {
    const kept = next === undefined ? null : await salvage(next, rest, path);
    if (next === undefined) report(path, 'nothing');
    // Otherwise the older versions that could not be read have reported it already.
    else if (await entriesOf(transaction, next)) report(path, 'older version');
    return kept;
  }

  async function salvageEntry(
    entry: TreeEntry,
    earlierVersions: () => Promise<TreeEntry[]>,
    path: string,
  ): Promise<TreeEntry | null> {
    if (entry.mode === SUBMODULE_MODE || (await isSound(entry.oid, path))) return entry;
    const versions = await earlierVersions();
    if (entry.mode === FOLDER_MODE) {
      const oid = await salvage(
        entry.oid,
        versions.map((version) => version.oid),
        path,
      );
      return oid === null ? null : { ...entry, oid };
    }
    for (const version of versions) {
      if (!(await isSound(version.oid, path))) continue;
      report(path, 'older version');
      return version;
    }
    report(path, 'nothing');
    return null;
  }

  /** The entry of this name in older versions of the folder: a folder for a folder, a page for a page. */
  async function earlier(folders: readonly Oid[], entry: TreeEntry): Promise<TreeEntry[]> {
    const versions = new Map<Oid, TreeEntry>();
    for (const folder of folders) {
      const found = (await entriesOf(transaction, folder))?.find(({ name }) => name === entry.name);
      const isAlike = found && (found.mode === FOLDER_MODE) === (entry.mode === FOLDER_MODE);
      if (isAlike && found.mode !== SUBMODULE_MODE && !versions.has(found.oid))
        versions.set(found.oid, found);
    }
    return [...versions.values()];
  }

  return salvage;
}

/** Null if the tree cannot be read. */
export async function entriesOf(objects: ObjectReader, tree: Oid): Promise<TreeEntry[] | null> {
  try {
    return parseTree((await objects.read(tree)).content).entries;
  } catch (error) {
    if (!isLost(error)) throw error;
    return null;
  }
}
