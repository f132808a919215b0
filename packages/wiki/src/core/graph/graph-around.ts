import { throwIfCancelled } from '../../contract/errors.ts';
import type { Oid } from '../../contract/ids.ts';
import type { Index } from '../index-port.ts';
import { compareText } from '../text/text-order.ts';
import { type Edge, fittingGraph, type Graph, type Node } from './fitting-graph.ts';
import { linksAmongPages } from './links-among-pages.ts';
import { countLinked } from './most-linked.ts';

interface Around {
  middle: string;
  depth: number;
  signal: AbortSignal | undefined;
}

/** The page in the middle, with all that are at most `depth` links away, up to a number of them. */
export async function graphAround(
  index: Index,
  commit: Oid,
  { middle, depth, signal }: Around,
): Promise<Graph> {
  const neighboursOf = await neighboursIn(index, commit, signal);
  const nodes: Node[] = [];
  const places = new Map<string, number>();
  const leftOut = new Set<string>();
  const edges = new Map<string, Edge>();
  const placeOf = async (path: string, distance: number) => {
    const known = places.get(path);
    if (known !== undefined || leftOut.has(path)) return known;
    if (nodes.length >= MAX_NODES) {
      leftOut.add(path);
      return undefined;
    }
    const place = nodes.length;
    places.set(path, place);
    nodes.push({ path, title: await titleOf(index, commit, path), linked: 0, distance });
    return place;
  };
  await placeOf(middle, 0);
  let lost = 0;
  // The list grows while it is gone through: nearer ones come first.
  for (let place = 0; place < nodes.length; place += 1) {
    const { path = '', distance = 0 } = nodes[place] ?? {};
    if (distance >= depth) break;
    throwIfCancelled(signal);
    for (const [from, to] of await neighboursOf(path)) {
      const other = await placeOf(from === path ? to : from, distance + 1);
      if (other === undefined) lost += 1;
      else {
        const edge = from === path ? { from: place, to: other } : { from: other, to: place };
        edges.set(`${edge.from} ${edge.to}`, { ...edge, weight: 1 });
      }
    }
  }
  const linked = countLinked(nodes.length, edges.values());
  const counted = nodes.map((node, place) => ({ ...node, linked: linked[place] ?? 0 }));
  const { weights: _, ...graph } = fittingGraph(counted, [...edges.values()]);
  const left_out = {
    nodes: graph.left_out.nodes + leftOut.size,
    edges: graph.left_out.edges + lost,
  };
  return { pages: nodes.length + leftOut.size, of: 'pages', ...graph, left_out };
}

/** A picture of more has no middle. */
const MAX_NODES = 500;

type Pair = readonly [from: string, to: string];

/**
 * The links of one page at a time, at their own cost. An index that does not see every page would resolve all links for
 * each page, so that they are resolved once.
 */
async function neighboursIn(
  index: Index,
  commit: Oid,
  signal: AbortSignal | undefined,
): Promise<(path: string) => Promise<Pair[]>> {
  if (index.seesEveryPage) {
    return async (path) => {
      const { linksTo, linkedFrom } = await index.links(commit, path, signal);
      const sources = [...new Set(linkedFrom.map((link) => link.path))];
      return inOrder(path, [
        ...linksTo.filter((to) => to !== path).map((to) => [path, to] as const),
        ...sources.map((from) => [from, path] as const),
      ]);
    };
  }
  const { paths, pairs } = await linksAmongPages(index, commit, signal, { hidden: true });
  const byPage = new Map<string, Pair[]>();
  for (const [fromPlace, toPlace] of pairs) {
    const pair = [paths[fromPlace] ?? '', paths[toPlace] ?? ''] as const;
    for (const path of pair) {
      const known = byPage.get(path);
      if (known === undefined) byPage.set(path, [pair]);
      else known.push(pair);
    }
  }
  return async (path) => inOrder(path, byPage.get(path) ?? []);
}

/** Those to which the page links, then those that link to it, each by path. */
function inOrder(path: string, pairs: readonly Pair[]): Pair[] {
  const to = pairs.filter(([from]) => from === path);
  const from = pairs.filter(([from]) => from !== path);
  return [...to.sort((a, b) => compareText(a[1], b[1])), ...from.sort((a, b) => compareText(a[0], b[0]))];
}

/** The page itself is the first of those whose paths begin with its own. */
async function titleOf(index: Index, commit: Oid, path: string): Promise<string> {
  const { rows } = await index.list({ commit, prefix: path, sort: 'path', offset: 0, limit: 1 });
  return rows[0]?.path === path ? rows[0].title : path;
}
