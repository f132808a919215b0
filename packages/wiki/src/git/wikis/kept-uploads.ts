import { join } from 'node:path';
import type { UploadStore } from '../../core/transport-port.ts';
import type { FileSystem } from '../../storage/files/file-system.ts';
import type { Host } from '../../storage/files/host.ts';
import { privateFileSystem } from '../../storage/files/private-file-system.ts';
import { namesIn } from '../../storage/files/unless-gone.ts';
import { fileSystemFailure } from '../../storage/storage-error.ts';
import { StoredUploads } from '../../storage/uploads.ts';
import { writesRefused } from '../open-repository.ts';
import { throwAsWikiError } from '../storage-failures.ts';

export interface KeptUploadsParts {
  fs: FileSystem;
  host: Host;
  /** The directory of wikis. */
  directory: string;
  readOnly: boolean;
}

/** Keeps uploads beside the wikis, since a wiki may be made by the very call for which its bytes are uploaded. */
export function keptUploads({ fs, host, directory, readOnly }: KeptUploadsParts): UploadStore {
  const place = join(directory, DIRECTORY_NAME);
  const own = privateFileSystem(fs);
  const stored = (wiki: string) => {
    if (readOnly) throw writesRefused();
    return new StoredUploads({ fs: own, host, directory: join(place, wiki) });
  };
  return {
    uploads: (wiki) => {
      const uploads = stored(wiki);
      return {
        parts: async (upload) =>
          (await uploads.parts(upload).catch(throwAsWikiError)).map(({ offset, bytes }) => ({
            offset,
            bytes,
          })),
        add: (upload, offset, bytes) => uploads.add(upload, offset, bytes).catch(throwAsWikiError),
        read: (upload, length) => uploads.read(upload, length).catch(throwAsWikiError),
        drop: (upload) => uploads.drop(upload).catch(throwAsWikiError),
        removeOld: () => uploads.removeOld().catch(throwAsWikiError),
      };
    },
    async removeOldUploads() {
      const wikis = await namesIn(fs, place).catch((error: unknown) =>
        throwAsWikiError(fileSystemFailure(error, 'Looking for uploads', place)),
      );
      let removed = 0;
      for (const wiki of wikis) removed += await stored(wiki).removeOld().catch(throwAsWikiError);
      return removed;
    },
  };
}

/** A name that no wiki can have. */
const DIRECTORY_NAME = '.uploads';
