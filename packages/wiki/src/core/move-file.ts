import type { LinkSource } from './link-source.ts';
import { encodePage } from './page-content.ts';
import { lastPartOf, pagePathOf } from './page-path.ts';
import { findPage } from './pages.ts';
import type { FileWrite, Snapshot, TreeEntry } from './ports.ts';
import { createLinkResolver, type LinkNames } from './text/link-resolver.ts';
import { type LinkMove, rewriteLinks } from './text/rewrite-links.ts';
import { decodeText } from './text/text-encoding.ts';

/** What moving a page writes: the page at its new tree path, and every page whose links would lead elsewhere. */
export async function moveFile(
  links: LinkSource,
  base: Snapshot,
  entry: TreeEntry,
  place: string,
  updateLinks: boolean,
): Promise<FileWrite[]> {
  const remove: FileWrite = { path: entry.path, remove: true };
  const asItIs: FileWrite = { path: place, oid: entry.oid, mode: entry.mode };
  if (!updateLinks) return [remove, asItIs];

  const names = await links.names();
  const move = linkMove(names, entry.path, place);
  const moved = (await rewritePage(base, entry, place, move)) ?? asItIs;
  const pages = await pagesToLookAt(links, names, entry.path, place);
  const others = await inBatches([...pages], async (page) => {
    const other = await findPage(base, page);
    return other === null || other.path === entry.path ? null : rewritePage(base, other, other.path, move);
  });
  return [remove, moved, ...others.filter((file) => file !== null)];
}

/** As many at once as hide a slow disk, and no more than fit into memory. */
async function inBatches<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += batch) {
    results.push(...(await Promise.all(items.slice(start, start + batch).map(work))));
  }
  return results;
}

const batch = 32;

function linkMove({ treePaths, aliases }: LinkNames, from: string, to: string): LinkMove {
  const place = (path: string) => (path === from ? to : path);
  return {
    moved: new Map([[from, to]]),
    before: createLinkResolver(treePaths, aliases),
    after: createLinkResolver(
      treePaths.map(place),
      aliases.map(([alias, path]) => [alias, place(path)] as const),
    ),
  };
}

/** Null where the page needs no change, or is not UTF-8 and would be damaged by one. */
async function rewritePage(
  base: Snapshot,
  entry: TreeEntry,
  place: string,
  move: LinkMove,
): Promise<FileWrite | null> {
  const { text, bom, valid } = decodeText(await base.blob(entry.oid));
  if (!valid) return null;
  const rewritten = rewriteLinks(text, entry.path, move);
  if (rewritten.count === 0) return null;
  return {
    path: place,
    content: encodePage(pagePathOf(place) ?? place, rewritten.text, bom),
    mode: entry.mode,
  };
}

/** More pages of one name than this, and it is quicker to look at every page of the wiki. */
const namesakesMost = 50;

/**
 * Pages that link to the page, and those that link to a page which is called as it will be, since a link by name
 * could then lead to the wrong one.
 */
async function pagesToLookAt(
  links: LinkSource,
  { treePaths, aliases }: LinkNames,
  from: string,
  to: string,
): Promise<Set<string>> {
  const name = nameOf(to);
  const namesakes = treePaths.filter((path) => path !== from && nameOf(path) === name);
  const byAlias = aliases.filter(([alias]) => lastPartOf(fold(alias)) === name).map(([, path]) => path);
  const targets = [from, ...new Set([...namesakes, ...byAlias])].map((path) => pagePathOf(path));
  const pages = targets.filter((path) => path !== null);
  // The index tells no links to a file of that name, nor to `C` by `[[C# Guide]]`, which now leads to `C# Guide`.
  const isBeyondIndex = pages.length < targets.length || to.includes('#');
  if (isBeyondIndex || pages.length > namesakesMost) {
    return new Set(treePaths.flatMap((path) => pagePathOf(path) ?? []));
  }
  const found = new Set<string>();
  for (const page of pages) {
    for (const linking of await links.mayLinkTo(page)) found.add(linking);
    found.add(page);
  }
  return found;
}

/** What a link calls a file by, folded. */
function nameOf(treePath: string): string {
  return fold(lastPartOf(pagePathOf(treePath) ?? treePath));
}

function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
