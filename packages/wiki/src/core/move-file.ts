import type { LinkSource } from './link-source.ts';
import { attachmentsThatMove } from './moving-attachments.ts';
import { encodePage } from './page-content.ts';
import { lastPartOf, pagePathOf, treePathOf } from './page-path.ts';
import { findPage } from './pages.ts';
import type { FileWrite, Snapshot, TreeEntry } from './ports.ts';
import { createLinkResolver, type LinkNames, type LinkResolver } from './text/link-resolver.ts';
import { type LinkMove, rewriteLinks } from './text/rewrite-links.ts';
import { decodeText } from './text/text-encoding.ts';

/**
 * What moving a page writes: the page at its new tree path, the files that move with it, and every page whose
 * links would lead elsewhere.
 */
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
  const before = createLinkResolver(names.treePaths, names.aliases);
  const attachments = await attachmentsThatMove(links, base, entry, place, before);
  const moves = new Map([[entry.path, place], ...attachments]);
  const move = { moved: moves, before, after: resolverAfter(names, moves) };
  const moved = (await rewritePage(base, entry, place, move)) ?? asItIs;
  const pages = await pagesToLookAt(links, names, moves);
  const others = await inBatches([...pages], async (page) => {
    const other = await findPage(base, page);
    return other === null || other.path === entry.path ? null : rewritePage(base, other, other.path, move);
  });
  const files = [...attachments].map(([from, to]) => moveAsItIs(base, from, to));
  return [remove, moved, ...(await Promise.all(files)).flat(), ...others.filter((file) => file !== null)];
}

async function moveAsItIs(base: Snapshot, from: string, to: string): Promise<FileWrite[]> {
  const entry = await base.entry(from);
  return entry === null
    ? []
    : [
        { path: from, remove: true },
        { path: to, oid: entry.oid, mode: entry.mode },
      ];
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

function resolverAfter({ treePaths, aliases }: LinkNames, moves: ReadonlyMap<string, string>): LinkResolver {
  const place = (path: string) => moves.get(path) ?? path;
  return createLinkResolver(
    treePaths.map(place),
    aliases.map(([alias, path]) => [alias, place(path)] as const),
  );
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
 * Pages that link to what moves, and those that link to a page or file which is called as one will be, since a
 * link by name could then lead to the wrong one.
 */
async function pagesToLookAt(
  links: LinkSource,
  { treePaths, aliases }: LinkNames,
  moves: ReadonlyMap<string, string>,
): Promise<Set<string>> {
  const names = new Set([...moves.values()].map(nameOf));
  const namesakes = treePaths.filter((path) => names.has(nameOf(path)));
  const byAlias = aliases.filter(([alias]) => names.has(lastPartOf(fold(alias)))).map(([, path]) => path);
  const targets = new Set([...moves.keys(), ...namesakes, ...byAlias]);
  // The index does not know that `[[C# Guide]]`, which led to `C`, will lead to `C# Guide`; nor, where a page has
  // the path of a file, does it tell of the file.
  const known = new Set(treePaths);
  const isBeyondIndex =
    [...moves.values()].some((path) => path.includes('#')) ||
    [...targets].some((path) => pagePathOf(path) === null && known.has(treePathOf(path)));
  if (isBeyondIndex || targets.size > namesakesMost) {
    return new Set(treePaths.flatMap((path) => pagePathOf(path) ?? []));
  }
  const found = new Set<string>();
  for (const target of targets) {
    const page = pagePathOf(target);
    for (const linking of await links.mayLinkTo(page ?? target)) found.add(linking);
    if (page !== null) found.add(page);
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
