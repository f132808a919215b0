import { join } from 'node:path';
import { yielding } from '../../scheduling/yielding.ts';
import { replaceFile } from '../../storage/files/durable-file.ts';
import { errorName, type FileSystem } from '../../storage/files/file-system.ts';
import { type Host, randomName } from '../../storage/files/host.ts';
import { FileTooLarge, readWholeFile } from '../../storage/files/whole-file.ts';
import { StorageError } from '../../storage/storage-error.ts';
import { decodeList, encodeList, type WholeList } from './list-file.ts';

/** Keeps what a clone gets beyond the life of a process, and for other processes. No clone fails for want of it. */
export interface KeptList {
  /** Null if there is none, or if it is damaged or cannot be read. */
  read(): Promise<WholeList | null>;
  keep(list: WholeList): Promise<void>;
}

export interface KeptListParts {
  fs: FileSystem;
  host: Host;
  /** The bare repository. */
  gitDirectory: string;
}

/** Keeps it in a file beside the chain, which may be deleted at any time. Maintenance removes what a crash leaves of it. */
export function keptList({ fs, host, gitDirectory }: KeptListParts): KeptList {
  const own = join(gitDirectory, 'pagetree');
  const path = join(own, 'clone-list');
  return {
    async read() {
      try {
        return await decodeList(await readWholeFile(fs, path, MAX_BYTES), yielding(TURN_MS));
      } catch (error) {
        // Missing, of another user of this machine, on a bad part of the disk: the clone walks through the history.
        if (error instanceof FileTooLarge || errorName(error) !== null) return null;
        throw error;
      }
    },
    async keep(list) {
      if (list.objects.length > MAX_OBJECTS) return;
      const bytes = await encodeList(list, yielding(TURN_MS));
      try {
        // Alone: if what is above it is missing, the wiki was deleted, and must not come back.
        await fs.mkdir(own).catch((error: unknown) => {
          if (errorName(error) !== 'EEXIST') throw error;
        });
        await replaceFile(fs, path, join(own, 'temporary', randomName(host)), bytes);
      } catch (error) {
        // A clone succeeds on a full disk too: the next one walks through the history again.
        if (!(error instanceof StorageError || errorName(error) !== null)) throw error;
      }
    },
  };
}

/** The same for a process that may write nothing. */
export function readOnlyList({ read }: KeptList): KeptList {
  return { read, keep: async () => undefined };
}

const TURN_MS = 20;
/** A file of 50 MB, and some 400 MB of memory to read it. */
const MAX_OBJECTS = 2_000_000;
const MAX_BYTES = 60_000_000;
