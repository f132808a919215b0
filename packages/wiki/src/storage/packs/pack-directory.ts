import { join } from 'node:path';
import type { Oid } from '../../formats/oid.ts';
import type { EncodedPack, PackBytes } from '../../formats/packs/pack.ts';
import { type MakeFile, syncDirectory, writeNewFile } from '../files/durable-file.ts';
import { errorName, type FileSystem } from '../files/file-system.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { completePack, landPack } from './land-pack.ts';
import { isSmall } from './merging/pack-merger.ts';
import { keepNote, type MergedPack, type PushedPack } from './push-note.ts';

/** The packs of this process's attempts, on their way into the repository. */
export interface PackDirectory {
  /**
   * Stores a pack for an attempt. From then on a power cut cannot damage it. Until `sync` or `complete` it
   * can hide the pack from native git and later starts.
   */
  land(commit: Oid, pack: EncodedPack): Promise<void>;
  /**
   * Stores the pack of a push or of a merge under a name of its own. When it returns, no power cut can hide or damage
   * the pack.
   */
  landPushed(name: string, pack: PackBytes, kept: PushedPack | MergedPack): Promise<void>;
  /**
   * Makes every landed pack, of any process, stay visible. On a shared mount the server has done so already.
   */
  sync(): Promise<void>;
  /** Makes a pack visible again that a power cut hid. Only for a commit that is in the chain. */
  complete(commit: Oid): Promise<void>;
  /** The attempt's commit is in the chain: its objects may be read. */
  linked(commit: Oid, pack: EncodedPack): void;
  /** The push or the merge is in the chain. */
  linkedPush(name: string): void;
  /** The attempt's commit will never be linked: its pack may go. For a push or a merge, the name of its pack. */
  withdraw(commit: Oid): void;
  /**
   * Removes withdrawn packs, or leaves them to native git. Packs that cannot be removed stay and only take
   * room.
   */
  sweep(): Promise<void>;
  /** The commits, and names of pushes, that are in the chain and whose packs are kept from native git's housekeeping. */
  kept(): Oid[];
  /** Leaves packs to native git, once the branch ref durably reaches their commits. */
  release(commits: readonly Oid[]): Promise<void>;
  /**
   * The packs that nobody keeps, each returned once: from here on they may be merged. Null for a large one.
   */
  takeMergeable(): { commit: Oid; pack: EncodedPack | null }[];
}

export interface PackDirectoryOptions {
  fs: FileSystem;
  directory: string;
  /** If native git may repack: a `.keep` stands beside each pack until the ref reaches its commit. */
  makeKeep: ((path: string) => Promise<void>) | undefined;
  makeFile: MakeFile;
  objects: ObjectStore;
}

export function openPackDirectory({
  fs,
  directory,
  makeKeep,
  makeFile,
  objects,
}: PackDirectoryOptions): PackDirectory {
  const withdrawn = new Set<Oid>();
  /** Null for a pack that is not merged soon: it may have tens of megabytes and be kept for a long time. */
  const kept = new Map<Oid, EncodedPack | null>();
  const mergeable = new Map<Oid, EncodedPack | null>();
  const keep = makeKeep !== undefined;
  const file = (commit: Oid, ending: string) => join(directory, `pack-${commit}.${ending}`);

  async function land(commit: Oid, pack: EncodedPack): Promise<void> {
    // Done first: git's `repack -ad` also removes a pack that has no index yet.
    await makeKeep?.(file(commit, 'keep'));
    try {
      await landPack(fs, directory, commit, pack, { syncNames: keep, makeFile });
    } catch (error) {
      withdrawn.add(commit);
      throw error;
    }
  }

  async function landPushed(name: string, pack: PackBytes, kept: PushedPack | MergedPack): Promise<void> {
    try {
      if (keep) await writeNewFile(fs, file(name, 'keep'), new TextEncoder().encode(keepNote(kept)));
      await landPack(fs, directory, name, pack);
      // The chain leads no start to this name, so nobody would repeat a rename that a power cut undid.
      await sync();
    } catch (error) {
      withdrawn.add(name);
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
    // Beside native git such a pack may hold the only copy of an object: `git repack -ad` leaves the contents
    // of a pack with a `.keep` out of its new pack, and deletes every other copy. So from here on the pack is
    // left to git.
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
      if (pack) mergeable.set(commit, pack);
    }
  }

  async function removeFiles(paths: string[]): Promise<void> {
    for (const path of paths) {
      try {
        await fs.unlink(path);
      } catch (error) {
        // A leftover only takes room. Any other error is a defect.
        if (errorName(error) === null) throw error;
      }
    }
  }

  return {
    land,
    landPushed,
    sync,
    complete,
    linked: (commit, pack) => {
      objects.addPack(commit, pack);
      (keep ? kept : mergeable).set(commit, isSmall(pack) ? pack : null);
    },
    linkedPush: (name) => {
      if (keep) kept.set(name, null);
    },
    withdraw: (commit) => void withdrawn.add(commit),
    sweep,
    release,
    kept: () => [...kept.keys()],
    takeMergeable: () => {
      const taken = [...mergeable].map(([commit, pack]) => ({ commit, pack }));
      mergeable.clear();
      return taken;
    },
  };
}
