import { compareText } from '../text/text-order.ts';
import type { Edge, Node } from './fitting-graph.ts';

/** The nodes with most links first, and the edges with their new places. */
export function byLinks(
  nodes: readonly Omit<Node, 'linked'>[],
  edges: readonly Edge[],
): { nodes: Node[]; edges: Edge[] } {
  const linked = countLinked(nodes.length, edges);
  const ranked = nodes
    .map((node, place) => ({ ...node, linked: linked[place] ?? 0, place }))
    .sort((a, b) => b.linked - a.linked || compareText(a.path, b.path));
  const places: number[] = [];
  for (const [rank, { place }] of ranked.entries()) places[place] = rank;
  return {
    nodes: ranked.map(({ place: _, ...node }) => node),
    edges: edges.map(({ from, to, weight }) => ({
      from: places[from] ?? 0,
      to: places[to] ?? 0,
      weight,
    })),
  };
}

/** For each node, the number of others that it has an edge with. */
export function countLinked(nodes: number, edges: Iterable<Edge>): number[] {
  const others = Array.from({ length: nodes }, () => new Set<number>());
  for (const { from, to } of edges) {
    others[from]?.add(to);
    others[to]?.add(from);
  }
  return others.map(({ size }) => size);
}
