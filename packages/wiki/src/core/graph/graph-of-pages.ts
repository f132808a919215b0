import { setImmediate } from 'node:timers/promises';
import type { Oid } from '../../contract/ids.ts';
import type { Index } from '../index-port.ts';
import { fittingGraph, type Graph } from './fitting-graph.ts';
import type { LinksAmongPages } from './links-among-pages.ts';
import { byLinks } from './most-linked.ts';

/** Every page, with the links among them. */
export async function graphOfPages(index: Index, commit: Oid, links: LinksAmongPages): Promise<Graph> {
  const { paths, pairs } = links;
  const titles = await titlesOf(index, commit);
  const edges = pairs.map(([from, to]) => ({ from, to, weight: 1 }));
  const nodes = paths.map((path) => ({ path, title: titles.get(path) ?? path }));
  const ranked = byLinks(nodes, edges);
  const { weights: _, ...graph } = fittingGraph(ranked.nodes, ranked.edges);
  return { pages: paths.length, of: 'pages', ...graph };
}

async function titlesOf(index: Index, commit: Oid): Promise<Map<string, string>> {
  const titles = new Map<string, string>();
  for (;;) {
    const portion = { commit, prefix: '', sort: 'path', offset: titles.size, limit: PAGES_AT_ONCE } as const;
    const { rows } = await index.list(portion);
    for (const { path, title } of rows) titles.set(path, title);
    if (rows.length < PAGES_AT_ONCE) return titles;
    await setImmediate();
  }
}

/** Takes some 20 ms. */
const PAGES_AT_ONCE = 1_000;
