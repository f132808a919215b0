import { basename, dirname, join } from 'node:path';
import { FIRST_NAME, isOid, linksAfter, parseLink } from '../chain/chain-link.ts';
import { readNamedLink } from '../chain/named-links.ts';
import { errorName, type FileSystem } from '../files/file-system.ts';
import { HINT_NAME, type Layout } from '../layout.ts';
import type { Oid } from '../storage.ts';

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

/** The newest commit of such a chain, null where it is empty. Throws what the file system throws. */
export async function endOfChain(fs: FileSystem, chain: string): Promise<Oid | null> {
  const hint = (await readNamedLink(fs, join(chain, HINT_NAME)))?.slice(0, FIRST_NAME.length) ?? '';
  const read = async (name: string) => {
    const target = await readNamedLink(fs, join(chain, name));
    return target === null ? null : parseLink(name, target);
  };
  let end = isOid(hint) ? await read(hint) : null;
  for await (const link of linksAfter(end, read)) end = link;
  return end?.commit ?? null;
}
