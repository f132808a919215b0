import { throwIfCancelled } from '../../contract/errors.ts';
import type { Oid } from '../../contract/ids.ts';
import { yieldNowAndThen } from '../../scheduling/yielding.ts';
import type { Index } from '../index-port.ts';
import { isHidden, pagePathOf } from '../paths/page-path.ts';
import { createLinkResolver } from '../text/links/link-resolver.ts';

export interface LinksAmongPages {
  /** Those that are not hidden, unless these are wanted too. */
  paths: readonly string[];
  /** Pairs of places in `paths`: each page with each other one that it links to, once. */
  pairs: readonly (readonly [from: number, to: number])[];
}

export async function linksAmongPages(
  index: Index,
  commit: Oid,
  signal?: AbortSignal,
  also: { hidden: boolean } = { hidden: false },
): Promise<LinksAmongPages> {
  const paths = (await index.paths(commit)).filter((path) => also.hidden || !isHidden(path));
  const places = new Map(paths.map((path, place) => [path, place]));
  const names = await index.names(commit);
  const resolver = createLinkResolver(names.treePaths, names.aliases);
  const pairs: [number, number][] = [];
  let last = -1;
  let led = new Set<number>();
  for (const [number, { from, link }] of (await index.everyLink(commit)).entries()) {
    await yieldNowAndThen(number);
    throwIfCancelled(signal);
    const page = places.get(pagePathOf(from) ?? '');
    if (page === undefined) continue;
    // They come sorted by page.
    if (page !== last) led = new Set([page]);
    last = page;
    const found = resolver.resolve(link, from);
    const to = found === null ? undefined : places.get(pagePathOf(found.path) ?? '');
    if (to === undefined || led.has(to)) continue;
    led.add(to);
    pairs.push([page, to]);
  }
  return { paths, pairs };
}
