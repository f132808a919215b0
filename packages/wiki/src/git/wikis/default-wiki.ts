import { join } from 'node:path';
import { cureByPerson, WikiError } from '../../contract/errors.ts';
import { wikiName } from '../../contract/ids.ts';
import { removeFile } from '../../storage/files/directories.ts';
import { syncDirectory, writeNewFile } from '../../storage/files/durable-file.ts';
import { errorName, type FileSystem } from '../../storage/files/file-system.ts';
import { type Host, randomName } from '../../storage/files/host.ts';
import { openNamedLinks, readNamedLink } from '../../storage/files/named-links.ts';
import { StorageError } from '../../storage/storage-error.ts';
import { directoryOf } from './wiki-place.ts';

/**
 * The record of a directory's default wiki: a file with its name. The file is made once and never changed by
 * us, so that no wiki that is added later becomes the default. A person may change it.
 */
export interface DefaultWikiRecord {
  /** Null if nothing is recorded. Throws `backend_unavailable` if the file holds something else. */
  read(): Promise<string | null>;
  /**
   * Records this name unless another is recorded. If several processes do so at once, one succeeds. Throws
   * StorageError.
   */
  make(name: string): Promise<void>;
  /**
   * Does the same, but makes no record if the directory cannot be written: the next start then makes the same
   * choice.
   */
  makeIfWritable(name: string): Promise<void>;
}

interface RecordOptions {
  fs: FileSystem;
  host: Host;
  /** The directory of wikis. */
  directory: string;
  placement: 'local' | 'shared';
}

export function openDefaultWikiRecord({ fs, host, directory, placement }: RecordOptions): DefaultWikiRecord {
  const path = join(directory, DEFAULT_WIKI);
  // The name looks like an unfinished wiki, so that the next start removes the leftovers of a process that
  // died.
  const temporaryName = () => join(directory, `${directoryOf(DEFAULT_WIKI)}.new-${randomName(host)}`);

  async function read(): Promise<string | null> {
    const text = await readNamedLink(fs, path);
    if (text === null) return null;
    const name = text.trim().replace(/\.git$/, '');
    if (!wikiName.safeParse(name).success) throw notAName(path, text);
    return name;
  }

  async function make(name: string): Promise<void> {
    const temporary = temporaryName();
    try {
      await writeNewFile(fs, temporary, new TextEncoder().encode(`${name}\n`), 0o644);
      await fs.link(temporary, path);
    } catch (error) {
      const reason = errorName(error);
      if (reason === null) throw error;
      // Without hard links, the record has a form that people cannot edit as easily.
      if (reason !== 'EEXIST') await openNamedLinks(fs, temporaryName).make(path, name);
    } finally {
      await removeFile(fs, temporary);
    }
    if (placement === 'local') await syncDirectory(fs, directory);
  }

  async function makeIfWritable(name: string): Promise<void> {
    try {
      await make(name);
    } catch (error) {
      if (!(error instanceof StorageError) && errorName(error) === null) throw error;
    }
  }

  return { read, make, makeIfWritable };
}

/** The default wiki of a directory that records none; null if the choice is ambiguous. */
export function decideDefault(present: readonly string[]): string | null {
  if (present.length === 1) return present[0] ?? null;
  return present.includes(FIRST_WIKI) ? FIRST_WIKI : null;
}

/** The name of the first wiki, made if there is none. */
export const FIRST_WIKI = 'main';

/** The file's name in the directory of wikis. */
export const DEFAULT_WIKI = 'default-wiki';

function notAName(path: string, text: string): WikiError {
  return new WikiError('backend_unavailable', {
    happened: `${path} is to name the default wiki, but holds ${JSON.stringify(text.trim().slice(0, 80))}.`,
    now: 'Nothing was read or changed.',
    ...cureByPerson('Write the name of one wiki into it.'),
  });
}
