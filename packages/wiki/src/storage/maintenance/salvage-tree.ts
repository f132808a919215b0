import type { GatheringTransaction } from '../chain/transaction.ts';
import {
  FOLDER_MODE,
  formatTree,
  parseTree,
  SUBMODULE_MODE,
  type TreeTextEntry,
} from '../objects/tree-text.ts';
import type { ObjectReader, Oid } from '../storage.ts';
import { isLost } from '../storage-error.ts';
import type { Soundness } from './soundness.ts';

/**
 * Makes the best of a tree, which may lack objects: what it lacks is taken from older versions of it, the newest of
 * them first. Null where nothing of it is left.
 */
export type Salvage = (newest: Oid, older: readonly Oid[], path: string) => Promise<Oid | null>;

export function openSalvage(
  soundness: Soundness,
  transaction: GatheringTransaction,
  commit: Oid,
  tell: (path: string, kept: 'older version' | 'nothing') => void,
): Salvage {
  const isSound = (oid: Oid, path: string) => soundness.isSound(oid, path, commit);

  const salvage: Salvage = async (newest, older, path) => {
    if (await isSound(newest, path)) return newest;
    const entries = await entriesOf(transaction, newest);
    if (entries === null) {
      const [next, ...rest] = older;
      const kept = next === undefined ? null : await salvage(next, rest, path);
      // Of those that were not to be read either it was told already.
      if (next === undefined) tell(path, 'nothing');
      else if (await entriesOf(transaction, next)) tell(path, 'older version');
      return kept;
    }
    const saved: TreeTextEntry[] = [];
    for (const entry of entries) {
      const below = path === '' ? entry.name : `${path}/${entry.name}`;
      const found = await salvageEntry(entry, () => earlier(older, entry), below);
      if (found) saved.push(found);
    }
    return transaction.write('tree', formatTree(saved));
  };

  async function salvageEntry(
    entry: TreeTextEntry,
    earlierVersions: () => Promise<TreeTextEntry[]>,
    path: string,
  ): Promise<TreeTextEntry | null> {
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
      tell(path, 'older version');
      return version;
    }
    tell(path, 'nothing');
    return null;
  }

  /** What older versions of the folder have under the entry's name, a folder for a folder and a page for a page. */
  async function earlier(folders: readonly Oid[], entry: TreeTextEntry): Promise<TreeTextEntry[]> {
    const versions = new Map<Oid, TreeTextEntry>();
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

/** Null where the tree cannot be read. */
export async function entriesOf(objects: ObjectReader, tree: Oid): Promise<TreeTextEntry[] | null> {
  try {
    return parseTree((await objects.read(tree)).content);
  } catch (error) {
    if (!isLost(error)) throw error;
    return null;
  }
}
