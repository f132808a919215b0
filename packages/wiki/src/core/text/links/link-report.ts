import { yieldNowAndThen } from '../../../scheduling/yielding.ts';
import type { PageLinks, PlacedLink } from '../../index-port.ts';
import { pagePathOf, treePathOf } from '../../paths/page-path.ts';
import { compareText } from '../text-order.ts';
import type { LinkResolver } from './link-resolver.ts';

export interface LinkedPage {
  path: string;
  /** The path of the page, or of another file; null if there is neither. */
  treePath: string | null;
  own: readonly PlacedLink[];
  leavesOutLinks: boolean;
  /** Links that may lead to the page, and any others. */
  incoming: readonly PlacedLink[];
}

/**
 * The answer of get_links. `resolverWith` returns the resolver of the wiki, or one with additional tree
 * paths: a link refers to a missing page if it is broken now and would lead there.
 */
export async function linkReport(
  { path, treePath, own, incoming, leavesOutLinks }: LinkedPage,
  resolverWith: (also: readonly string[]) => LinkResolver,
): Promise<PageLinks> {
  const resolver = resolverWith([]);
  const wanted = treePath ?? treePathOf(path);
  const imagined = treePath === null ? resolverWith([wanted]) : resolver;
  const links = new Set<string>();
  const broken: PageLinks['broken'] = [];
  for (const [place, { from, line, link }] of own.entries()) {
    await yieldNowAndThen(place);
    const found = resolver.resolve(link, from);
    if (found === null) broken.push({ target: link.target, line });
    else if (found.by !== 'self') links.add(found.path);
  }
  const linkedFrom = new Map<string, PageLinks['linkedFrom'][number]>();
  for (const [place, { from, line, link }] of incoming.entries()) {
    await yieldNowAndThen(place);
    if (from === wanted || (treePath === null && resolver.resolve(link, from) !== null)) continue;
    if (imagined.resolve(link, from)?.path !== wanted) continue;
    const page = pagePathOf(from) ?? from;
    linkedFrom.set(`${page}\0${line}`, { path: page, line });
  }
  return {
    linksTo: [...links].flatMap((found) => pagePathOf(found) ?? []).sort(compareText),
    files: [...links].filter((found) => pagePathOf(found) === null).sort(compareText),
    linkedFrom: [...linkedFrom.values()].sort((a, b) => compareText(a.path, b.path) || a.line - b.line),
    broken,
    leavesOutLinks,
  };
}
