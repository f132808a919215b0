import { DirectedGraph } from 'graphology';

/** The graph as the site sends it. Titles and paths are what anybody wrote. */
export interface GraphData {
  of: 'pages' | 'folders';
  nodes: { title: string; path: string; address: string; linked: number }[];
  /** Two numbers of nodes for each link. */
  edges: number[];
  weights?: number[];
}

/** A graph of the nodes, without their links. The number of a node is its key. */
export function nodesOf({ of, nodes }: GraphData): DirectedGraph {
  const graph = new DirectedGraph();
  const tops = new Map<string, number>();
  const most = nodes.reduce((largest, { linked }) => Math.max(largest, linked), 1);
  const scale = Math.min(1, Math.sqrt(FULL_SIZE_COUNT / nodes.length));
  for (const [at, { title, path, linked }] of nodes.entries()) {
    const folder = of === 'folders' ? path : path.slice(0, Math.max(0, path.lastIndexOf('/')));
    const [top = ''] = folder.split('/');
    if (!tops.has(top)) tops.set(top, tops.size);
    graph.addNode(String(at), {
      label: title === '' ? 'The root' : title,
      folder: of === 'folders' ? top : folder,
      top: tops.get(top),
      size: scale * (3 + 9 * Math.sqrt(linked / most)),
    });
  }
  return graph;
}

/** More nodes are smaller, so that together they cover the same area: they would hide each other, and fill slowly. */
const FULL_SIZE_COUNT = 300;

/** Adds some of the links: `count` of them from number `first` on. */
export function addLinks(
  graph: DirectedGraph,
  { edges, weights }: GraphData,
  first: number,
  count: number,
): void {
  const end = Math.min(edges.length / 2, first + count);
  for (let link = first; link < end; link += 1) {
    const [from, to] = [String(edges[2 * link]), String(edges[2 * link + 1])];
    graph.addEdgeWithKey(String(link), from, to, { weight: weights?.[link] ?? 1 });
  }
}
