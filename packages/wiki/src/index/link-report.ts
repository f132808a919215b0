import type { PageLinks, PlacedLink } from '../core/index-port.ts';
import { pagePathOf, treePathOf } from '../core/page-path.ts';
import type { LinkResolver } from '../core/text/link-resolver.ts';
import { compareText } from './text-order.ts';

export interface LinkedPage {
  path: string;
  /** Of the page, or of the file that is no page; null where there is neither. */
  treePath: string | null;
  own: readonly PlacedLink[];
  /** Links that may lead to the page. */
  incoming: readonly PlacedLink[];
}

/**
 * What get_links tells. `resolverWith` gives the resolver of the wiki, or as it would be with further tree paths:
 * a link means a page that is not there if it is broken now and would lead there.
 */
export function linkReport(
  { path, treePath, own, incoming }: LinkedPage,
  resolverWith: (also: readonly string[]) => LinkResolver,
): PageLinks {
  const resolver = resolverWith([]);
  const wanted = treePath ?? treePathOf(path);
  const imagined = treePath === null ? resolverWith([wanted]) : resolver;
  const links = new Set<string>();
  const broken: PageLinks['broken'] = [];
  for (const { from, line, link } of own) {
    const found = resolver.resolve(link, from);
    if (found === null) broken.push({ target: link.target, line });
    else if (found.by !== 'self') links.add(found.path);
  }
  const linkedFrom = new Map<string, PageLinks['linkedFrom'][number]>();
  for (const { from, line, link } of incoming) {
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
  };
}
