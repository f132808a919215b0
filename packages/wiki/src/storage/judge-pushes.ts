import { join } from 'node:path';
import { errorName, type FileSystem } from './files/file-system.ts';
import { readTextFile } from './files/text-file.ts';
import { parseGitConfig } from './git-config.ts';

/**
 * Makes native git check what is pushed into a wiki that an older version made: sets `receive.fsckObjects`,
 * under git's own lock of the configuration. Changes nothing if the setting exists, if another process holds
 * that lock, or if the file cannot be written.
 */
export async function judgePushes(fs: FileSystem, directory: string): Promise<void> {
  const path = join(directory, 'config');
  try {
    if (!isUndecided(await readTextFile(fs, path))) return;
    const lock = await fs.open(`${path}.lock`, 'wx', 0o644);
    try {
      const text = await readTextFile(fs, path);
      if (text === null || !isUndecided(text)) throw new Decided();
      await lock.write(new TextEncoder().encode(`${text.trimEnd()}\n${SETTING}`));
      await lock.sync();
      await lock.close();
      await fs.rename(`${path}.lock`, path);
    } catch (error) {
      await lock.close().catch(() => undefined);
      await fs.unlink(`${path}.lock`);
      throw error;
    }
  } catch (error) {
    // The wiki can be used without it, and wiki_status reports what is missing.
    if (!(error instanceof Decided) && errorName(error) === null) throw error;
  }
}

/** Thrown if another process made the setting meanwhile. */
class Decided extends Error {}

/** A repository that is not a wiki of ours is left to its owner to configure. */
function isUndecided(text: string | null): boolean {
  if (text === null) return false;
  const config = parseGitConfig(text);
  return (
    config.has('pagetree.format') && !config.has('receive.fsckobjects') && !config.has('transfer.fsckobjects')
  );
}

const SETTING = '[receive]\n\tfsckObjects = true\n';
