import { join } from 'node:path';
import { yielding } from '../../scheduling/yielding.ts';
import { replaceFile } from '../../storage/files/durable-file.ts';
import type { FileSystem } from '../../storage/files/file-system.ts';
import { type Host, randomName } from '../../storage/files/host.ts';
import { unlessGone } from '../../storage/files/unless-gone.ts';
import { FileTooLarge, readWholeFile } from '../../storage/files/whole-file.ts';
import { fileSystemFailure, StorageError } from '../../storage/storage-error.ts';
import { throwAsWikiError } from '../storage-failures.ts';
import { decodeList, encodeList, type WholeList } from './list-file.ts';

/** Keeps what a clone gets beyond the life of a process, and for other processes. */
export interface KeptList {
  /** Null if there is none, or if it is damaged. */
  read(): Promise<WholeList | null>;
  keep(list: WholeList): Promise<void>;
}

export interface KeptListParts {
  fs: FileSystem;
  host: Host;
  /** The bare repository. */
  gitDirectory: string;
}

/** Keeps it in a file beside the chain, which may be deleted at any time. */
export function keptList({ fs, host, gitDirectory }: KeptListParts): KeptList {
  const path = join(gitDirectory, 'pagetree', 'clone-list');
  return {
    async read() {
      try {
        const bytes = await unlessGone(() => readWholeFile(fs, path, MAX_BYTES));
        return bytes && (await decodeList(bytes, yielding(TURN_MS)));
      } catch (error) {
        if (error instanceof FileTooLarge) return null;
        return throwAsWikiError(fileSystemFailure(error, 'Reading the list of a clone', path));
      }
    },
    async keep(list) {
      if (list.objects.length > MAX_OBJECTS) return;
      const bytes = await encodeList(list, yielding(TURN_MS));
      try {
        await replaceFile(fs, path, `${path}.${randomName(host)}`, bytes);
      } catch (error) {
        // A clone succeeds on a full disk too: the next one walks through the history again.
        if (!(error instanceof StorageError)) throw error;
      }
    },
  };
}

/** The same for a process that may write nothing. */
export function readOnlyList({ read }: KeptList): KeptList {
  return { read, keep: async () => undefined };
}

const TURN_MS = 20;
/** A history that has more is large enough that its walk is a small part of a clone. */
const MAX_OBJECTS = 2_000_000;
const MAX_BYTES = 60_000_000;
