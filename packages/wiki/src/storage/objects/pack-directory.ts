import { join } from 'node:path';
import { type MakeFile, syncDirectory } from '../files/durable-file.ts';
import { errorName, type FileSystem } from '../files/file-system.ts';
import type { Oid } from '../storage.ts';
import { completePack, landPack } from './land-pack.ts';
import type { ObjectStore } from './object-store.ts';
import type { PackMerger } from './pack-merger.ts';
import type { EncodedPack } from './pack-writer.ts';

/** The packs of this process's attempts, on their way into the repository. */
export interface PackDirectory {
  /**
   * Stores a pack for an attempt. A power cut cannot harm it from then on, but hide it from native git and later
   * starts, until `sync` or `complete`.
   */
  land(commit: Oid, pack: EncodedPack): Promise<void>;
  /** Makes every pack that landed, by whomever, stay visible. On a shared mount the server did. */
  sync(): Promise<void>;
  /** Shows again a pack that a power cut hid. Only for a commit that is in the chain. */
  complete(commit: Oid): Promise<void>;
  /** The attempt's commit is in the chain: its objects may be read. */
  linked(commit: Oid, pack: EncodedPack): void;
  /** The attempt's commit will never be linked: its pack may go. */
  withdraw(commit: Oid): void;
  /** Removes what was withdrawn, or leaves it to native git. What cannot be removed is left to maintenance. */
  sweep(): Promise<void>;
  /** The commits that are in the chain and whose packs are kept from native git's own housekeeping. */
  kept(): Oid[];
  /** Leaves packs to native git, after the branch ref, durably, reaches their commits. */
  release(commits: readonly Oid[]): Promise<void>;
}

export interface PackDirectoryOptions {
  fs: FileSystem;
  directory: string;
  /** Where native git may repack: a `.keep` stands beside each pack until the ref reaches its commit. */
  makeKeep: ((path: string) => Promise<void>) | undefined;
  makeFile: MakeFile;
  objects: ObjectStore;
  merger: PackMerger;
}

export function openPackDirectory({
  fs,
  directory,
  makeKeep,
  makeFile,
  objects,
  merger,
}: PackDirectoryOptions): PackDirectory {
  const withdrawn = new Set<Oid>();
  const kept = new Map<Oid, EncodedPack>();
  const keep = makeKeep !== undefined;
  const file = (commit: Oid, ending: string) => join(directory, `pack-${commit}.${ending}`);

  async function land(commit: Oid, pack: EncodedPack): Promise<void> {
    // First of all: git's `repack -ad` also takes away a pack that has no index yet.
    await makeKeep?.(file(commit, 'keep'));
    try {
      await landPack(fs, directory, commit, pack, { syncNames: keep, makeFile });
    } catch (error) {
      withdrawn.add(commit);
      throw error;
    }
  }

  async function sync(): Promise<void> {
    if (keep) await syncDirectory(fs, directory);
  }

  async function complete(commit: Oid): Promise<void> {
    if (keep) await completePack(fs, directory, commit);
  }

  async function sweep(): Promise<void> {
    // Beside native git such a pack may hold the only copy of an object: `git repack -ad` leaves what is in a
    // pack with a `.keep` out of its new pack, and deletes every other copy. So it is left to git from here on.
    const endings = keep ? ['idx.tmp', 'keep'] : ['idx', 'idx.tmp', 'pack'];
    for (const commit of withdrawn) {
      withdrawn.delete(commit);
      await removeFiles(endings.map((ending) => file(commit, ending)));
    }
  }

  async function release(commits: readonly Oid[]): Promise<void> {
    for (const commit of commits) {
      const pack = kept.get(commit);
      kept.delete(commit);
      await removeFiles([file(commit, 'keep')]);
      if (pack) merger.offer(commit, pack);
    }
  }

  async function removeFiles(paths: string[]): Promise<void> {
    for (const path of paths) {
      try {
        await fs.unlink(path);
      } catch (error) {
        // A leftover harms nobody, and maintenance takes it away; what is no file-system error is a defect.
        if (errorName(error) === null) throw error;
      }
    }
  }

  return {
    land,
    sync,
    complete,
    linked: (commit, pack) => {
      objects.addPack(commit, pack);
      if (keep) kept.set(commit, pack);
      else merger.offer(commit, pack);
    },
    withdraw: (commit) => void withdrawn.add(commit),
    sweep,
    release,
    kept: () => [...kept.keys()],
  };
}
