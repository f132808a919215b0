import { join } from 'node:path';
import type { FileSystem } from '../../files/file-system.ts';
import { readTextFile } from '../../files/text-file.ts';
import { parseGitConfig } from '../../git-config.ts';
import type { Layout } from '../../layout.ts';

/**
 * The origin of a repository, according to its configuration: as a wiki of ours; as a clone by native git,
 * which brings all packs along, including those of commits that its branch does not reach; or in another way.
 */
export type Origin = 'wiki' | 'clone' | 'other';

/** Throws what the file system throws. */
export async function originOf(fs: FileSystem, layout: Layout): Promise<Origin> {
  const config = parseGitConfig((await readTextFile(fs, join(layout.gitDirectory, 'config'))) ?? '');
  if (config.has('pagetree.format')) return 'wiki';
  return [...config.keys()].some((name) => /^remote\..*\.url$/.test(name)) ? 'clone' : 'other';
}
