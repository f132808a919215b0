import type { LinkSource } from './link-source.ts';
import { folderOf, pagePathOf } from './page-path.ts';
import { findPage } from './pages.ts';
import type { Snapshot, TreeEntry } from './ports.ts';
import type { LinkResolver } from './text/link-resolver.ts';
import { factsOf } from './text/page-facts.ts';
import { decodeText } from './text/text-encoding.ts';

/**
 * New places, by their old ones, of the files that move with a page: those in its folder or below that it alone
 * uses. They lie to it as they lay before, so that its links to them hold. None where there may be pages that cannot
 * be seen: they would lose what they embed.
 */
export async function attachmentsThatMove(
  links: LinkSource,
  base: Snapshot,
  page: TreeEntry,
  place: string,
  resolver: LinkResolver,
): Promise<Map<string, string>> {
  const moves = new Map<string, string>();
  const [from, to] = [folderOf(page.path), folderOf(place)];
  if (from === to || !links.seesEveryPage) return moves;
  for (const file of await filesOf(base, page, resolver)) {
    if (from !== '' && !file.startsWith(`${from}/`)) continue;
    const relative = from === '' ? file : file.slice(from.length + 1);
    const target = to === '' ? relative : `${to}/${relative}`;
    if ((await base.entry(target)) !== null) continue;
    if (!(await isUsedElsewhere(links, base, page, file, resolver))) moves.set(file, target);
  }
  return moves;
}

/** Tree paths of what a page links to and embeds that is no page. */
async function filesOf(base: Snapshot, page: TreeEntry, resolver: LinkResolver): Promise<Set<string>> {
  const { text } = decodeText(await base.blob(page.oid));
  const files = factsOf(pagePathOf(page.path) ?? page.path, text).links.flatMap((link) => {
    const path = resolver.resolve(link, page.path)?.path;
    return path === undefined || pagePathOf(path) !== null ? [] : [path];
  });
  return new Set(files);
}

async function isUsedElsewhere(
  links: LinkSource,
  base: Snapshot,
  page: TreeEntry,
  file: string,
  resolver: LinkResolver,
): Promise<boolean> {
  for (const path of await links.mayLinkTo(file)) {
    const other = await findPage(base, path);
    if (other === null || other.path === page.path) continue;
    if ((await filesOf(base, other, resolver)).has(file)) return true;
  }
  return false;
}
