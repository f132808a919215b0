import { join } from 'node:path';
import type { FileSystem } from './files/file-system.ts';
import { namesIn } from './files/unless-gone.ts';
import { type GitConfig, isTrue } from './git-config.ts';
import { readPackedRefs } from './native-git/packed-refs.ts';

/** True if native git shows other objects in place of some (`git replace`). We show what is stored. */
export async function hasReplacements(
  fs: FileSystem,
  directory: string,
  config: GitConfig,
): Promise<boolean> {
  if (!isTrue(config, 'core.usereplacerefs', true)) return false;
  if ((await namesIn(fs, join(directory, REPLACED))).length > 0) return true;
  const packed = await readPackedRefs(fs, join(directory, 'packed-refs'));
  return [...packed.keys()].some((name) => name.startsWith(REPLACED));
}

const REPLACED = 'refs/replace/';
