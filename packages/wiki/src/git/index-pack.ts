import { indexPack as writePackIndex } from 'isomorphic-git';
import { broken } from './bundle.ts';

export interface IndexedPack {
  packBytes: Uint8Array;
  indexBytes: Uint8Array;
  oids: ReadonlySet<string>;
}

/**
 * Makes the index of a pack that came from elsewhere, proving each object on the way. isomorphic-git reads and
 * writes files, so it is given two that are only in memory. Throws `invalid_input`.
 *
 * To be imported late, since few calls need the library; and here by its name, so that a bundle holds no more of it.
 */
export async function indexPack(packBytes: Uint8Array): Promise<IndexedPack> {
  const files = new Map([[`${directory}/${packName}`, packBytes]]);
  try {
    const { oids } = await writePackIndex({
      fs: { promises: filesInMemory(files) },
      dir: directory,
      gitdir: directory,
      filepath: packName,
    });
    const indexBytes = files.get(`${directory}/import.idx`);
    if (indexBytes === undefined) throw new Error('isomorphic-git wrote no index.');
    return { packBytes, indexBytes, oids: new Set(oids) };
  } catch (error) {
    throw broken('its pack is damaged', error);
  }
}

const directory = '/memory';
const packName = 'import.pack';

function filesInMemory(files: Map<string, Uint8Array>) {
  const missing = async (path: string) => {
    throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
  };
  return {
    readFile: async (path: string) => files.get(path) ?? missing(path),
    writeFile: async (path: string, bytes: Uint8Array) => void files.set(path, bytes),
    mkdir: missing,
    rmdir: missing,
    unlink: missing,
    stat: missing,
    lstat: missing,
    readdir: missing,
    readlink: missing,
    symlink: missing,
  };
}
