import { join } from 'node:path';
import { errorName, type FileSystem } from './files/file-system.ts';
import { readTextFile } from './files/text-file.ts';
import { parseGitConfig } from './git-config.ts';

/**
 * Makes native git check what is pushed into a wiki that an older version made, and replace no objects: adds the
 * settings for it, under git's own lock of the configuration. Changes nothing where a setting exists, if another
 * process holds that lock, or if the file cannot be written.
 */
export async function judgePushes(fs: FileSystem, directory: string): Promise<void> {
  const path = join(directory, 'config');
  try {
    if (undecided(await readTextFile(fs, path)) === '') return;
    const lock = await fs.open(`${path}.lock`, 'wx', 0o644);
    try {
      const text = await readTextFile(fs, path);
      const missing = undecided(text);
      if (text === null || missing === '') throw new Decided();
      await lock.write(new TextEncoder().encode(`${text.trimEnd()}\n${missing}`));
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

/** Thrown if another process made the settings meanwhile. */
class Decided extends Error {}

/** The missing settings, as text. A repository that is not a wiki of ours is left to its owner to configure. */
function undecided(text: string | null): string {
  if (text === null) return '';
  const config = parseGitConfig(text);
  if (!config.has('pagetree.format')) return '';
  return SETTINGS.filter(({ names }) => !names.some((name) => config.has(name)))
    .map(({ added }) => added)
    .join('');
}

const SETTINGS = [
  {
    names: ['receive.fsckobjects', 'transfer.fsckobjects'],
    added: '[receive]\n\tfsckObjects = true\n',
  },
  { names: ['receive.hiderefs', 'transfer.hiderefs'], added: '[receive]\n\thideRefs = refs/replace\n' },
  { names: ['core.usereplacerefs'], added: '[core]\n\tuseReplaceRefs = false\n' },
];
