import { basename, dirname, join } from 'node:path';
import { errorName, type FileSystem } from '../files/file-system.ts';
import type { Layout } from '../layout.ts';

/** The chains of other branches of the repository: the wiki's branch had another name, or it was another one. */
export async function listOtherChains(fs: FileSystem, layout: Layout): Promise<string[]> {
  const directory = dirname(layout.chain);
  try {
    const own = basename(layout.chain);
    const chains = (await fs.readdir(directory)).filter((name) => name.startsWith('chain-') && name !== own);
    return chains.map((name) => join(directory, name));
  } catch (error) {
    if (errorName(error) !== 'ENOENT') throw error;
    return [];
  }
}
