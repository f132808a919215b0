import type { Oid } from '../../formats/oid.ts';
import { FOLDER_MODE, parseTree, SUBMODULE_MODE, serializeTree, type TreeEntry } from '../../formats/tree.ts';
import type { GatheringTransaction } from '../commits/transaction.ts';
import type { Run } from '../maintenance/run.ts';
import type { ObjectReader } from '../storage.ts';
import { isLost } from '../storage-error.ts';
import type { Soundness } from './soundness.ts';

/**
 * Rebuilds a tree that may lack objects: takes missing entries from older versions of it, newest first.
 * Returns null if nothing of it is left. Throws OutOfTime: another call of the run goes on with the version
 * that it came to.
 */
export type Salvage = (newest: Oid, older: readonly Oid[], path: string) => Promise<Oid | null>;

export interface SalvageParts {
  run: Run;
  soundness: Soundness;
  transaction: GatheringTransaction;
  /** The commit after which the salvaged tree comes. */
  commit: Oid;
  report(path: string, kept: 'older version' | 'nothing'): void;
}

/** The progress in one folder. */
interface FolderProgress {
  /** The number of its newest versions that cannot be read. */
  unreadable: number;
  /** The number of older versions in which lost entries were looked for. */
  searched: number;
  /** The name, mode and oid of the pages found there. */
  found: [string, string, Oid][];
}

export function openSalvage({ run, soundness, transaction, commit, report }: SalvageParts): Salvage {
  const isSound = (oid: Oid, path: string) => soundness.isSound(oid, path, commit);
  const progressOf = folderProgress(run, commit);

  async function salvage(newest: Oid, older: readonly Oid[], path: string): Promise<Oid | null> {
    const progress = progressOf(path);
    const versions = [newest, ...older];
    for (;;) {
      const version = versions[progress.unreadable];
      if (version === undefined) break;
      const kept = await rebuilt(version, versions.slice(progress.unreadable + 1), path);
      if (kept !== null) {
        if (progress.unreadable > 0) report(path, 'older version');
        return kept;
      }
      progress.unreadable += 1;
      await run.step();
    }
    report(path, 'nothing');
    return null;
  }

  /** Null if the version itself cannot be read. */
  async function rebuilt(version: Oid, older: readonly Oid[], path: string): Promise<Oid | null> {
    if (await isSound(version, path)) return version;
    const entries = await entriesOf(transaction, version);
    if (entries === null) return null;
    const lost = new Set<TreeEntry>();
    for (const entry of entries) {
      const isHere = entry.mode === SUBMODULE_MODE || (await isSound(entry.oid, below(path, entry)));
      if (!isHere) lost.add(entry);
    }
    await search([...lost], older, path);
    const found = new Map(progressOf(path).found.map(([name, mode, oid]) => [name, { mode, oid }]));
    const saved: TreeEntry[] = [];
    for (const entry of entries) {
      const kept = lost.has(entry) ? await salvagedEntry(entry, found.get(entry.name), path) : entry;
      if (kept) saved.push(kept);
    }
    return transaction.write('tree', serializeTree(saved));
  }

  async function salvagedEntry(
    entry: TreeEntry,
    found: Pick<TreeEntry, 'mode' | 'oid'> | undefined,
    folder: string,
  ): Promise<TreeEntry | null> {
    const path = below(folder, entry);
    if (entry.mode === FOLDER_MODE) {
      const oid = await salvage(entry.oid, [...versionsOf(path)], path);
      return oid === null ? null : { ...entry, oid };
    }
    report(path, found ? 'older version' : 'nothing');
    return found ? { ...entry, ...found } : null;
  }

  /**
   * Looks for lost entries in the older versions of their folder, each of which is read once: for all
   * versions of a folder, and for the newest version of a page that can be read.
   */
  async function search(lost: readonly TreeEntry[], older: readonly Oid[], path: string): Promise<void> {
    const progress = progressOf(path);
    const found = new Set(progress.found.map(([name]) => name));
    const folders = new Set(lost.filter(({ mode }) => mode === FOLDER_MODE).map(({ name }) => name));
    const pages = new Set(
      lost.map(({ name }) => name).filter((name) => !folders.has(name) && !found.has(name)),
    );
    const look = async (entry: TreeEntry) => {
      if (entry.mode === FOLDER_MODE) {
        if (folders.has(entry.name)) versionsOf(below(path, entry)).add(entry.oid);
      } else if (pages.has(entry.name) && entry.mode !== SUBMODULE_MODE) {
        if (!(await isSound(entry.oid, below(path, entry)))) return;
        progress.found.push([entry.name, entry.mode, entry.oid]);
        pages.delete(entry.name);
      }
    };
    while (progress.searched < older.length && pages.size + folders.size > 0) {
      const entries = await entriesOf(transaction, older[progress.searched] as Oid);
      for (const entry of entries ?? []) await look(entry);
      progress.searched += 1;
      await run.step();
    }
  }

  /** The older versions of a folder, newest first. */
  function versionsOf(path: string) {
    return run.list(`versions before ${commit} of ${path}/`);
  }

  return salvage;
}

/** The progress by the path of the folder. It holds only for repairs after the same commit. */
function folderProgress(run: Run, commit: Oid): (path: string) => FolderProgress {
  const slot = run.slot<{ commit: Oid; folders: [string, FolderProgress][] } | null>(
    'salvage of pages',
    null,
  );
  const kept = slot.value?.commit === commit ? slot.value : { commit, folders: [] };
  slot.value = kept;
  const folders = new Map(kept.folders);
  return (path) => {
    const known = folders.get(path);
    if (known) return known;
    const begun: FolderProgress = { unreadable: 0, searched: 0, found: [] };
    folders.set(path, begun);
    kept.folders.push([path, begun]);
    return begun;
  };
}

function below(folder: string, { name }: TreeEntry): string {
  return folder === '' ? name : `${folder}/${name}`;
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
