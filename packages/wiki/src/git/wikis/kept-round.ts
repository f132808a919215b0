import { join } from 'node:path';
import type { Round, WikiDirectory } from '../../core/directory-port.ts';
import { replaceFile } from '../../storage/files/durable-file.ts';
import type { FileSystem } from '../../storage/files/file-system.ts';
import { type Host, randomName } from '../../storage/files/host.ts';
import { readTextFile } from '../../storage/files/text-file.ts';
import { fileSystemFailure } from '../../storage/storage-error.ts';
import { throwAsWikiError } from '../storage-failures.ts';

/** Keeps the progress of tidying all wikis in a file beside them. */
export function keptRound(
  fs: FileSystem,
  host: Host,
  directory: string,
): Pick<WikiDirectory, 'readRound' | 'keepRound'> {
  const path = join(directory, FILE_NAME);
  return {
    async readRound() {
      try {
        const text = await readTextFile(fs, path);
        return text === null ? null : parseRound(text);
      } catch (error) {
        return throwAsWikiError(fileSystemFailure(error, 'Reading how far the maintenance is', path));
      }
    },
    async keepRound(round) {
      const bytes = Buffer.from(JSON.stringify({ format: FORMAT, ...round }));
      await replaceFile(fs, path, `${path}.${randomName(host)}`, bytes).catch(throwAsWikiError);
    },
  };
}

/** Null if the file is damaged or of another version: the round then begins again. */
function parseRound(text: string): Round | null {
  try {
    const { format, ...round } = JSON.parse(text) as Round & { format: number };
    return format === FORMAT ? { ...ADDED, ...round } : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The fields that files of older versions lack. */
const ADDED = { begun: null, unfinished: [], repeats: 0, debtBytesBefore: null, debtGrowthRounds: 0 };
/** A name that no wiki can have. */
const FILE_NAME = '.maintenance';
const FORMAT = 1;
