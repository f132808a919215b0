import { basename, dirname, join } from 'node:path';
import type { Oid } from '../../../formats/oid.ts';
import { FIRST_NAME, isOid, linksAfter, parseLink } from '../../commits/chain-link.ts';
import type { FileSystem } from '../../files/file-system.ts';
import { readNamedLink } from '../../files/named-links.ts';
import { namesIn } from '../../files/unless-gone.ts';
import { HINT_NAME, type Layout } from '../../layout.ts';

/**
 * The chains of other branches of the repository: the wiki's branch had another name before, or was another
 * one.
 */
export async function listOtherChains(fs: FileSystem, layout: Layout): Promise<string[]> {
  const directory = dirname(layout.chain);
  const own = basename(layout.chain);
  const names = await namesIn(fs, directory);
  const chains = names.filter((name) => name.startsWith('chain-') && name !== own);
  return chains.map((name) => join(directory, name));
}

/** The newest commit of such a chain, or null if the chain is empty. Throws what the file system throws. */
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
