import type { Output } from '../../contract/operations.ts';
import { shortened } from '../reply-budget.ts';

export type Graph = NonNullable<Output<'view_graph'>['graph']>;
export type Node = Graph['nodes'][number];

export interface Edge {
  /** Places in the nodes. */
  from: number;
  to: number;
  weight: number;
}

/** The nodes and edges that fit into an answer: the first nodes, and the edges among them, those of the first ones first. */
export function fittingGraph(nodes: readonly Node[], edges: readonly Edge[]) {
  const shown: Node[] = [];
  let bytes = 0;
  for (const { title, ...node } of nodes) {
    const row = { ...node, title: shortened(title, MAX_TITLE) };
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1;
    if (bytes > MAX_NODE_BYTES) break;
    shown.push(row);
  }
  const among = edges
    .filter(({ from, to }) => Math.max(from, to) < shown.length)
    .sort((a, b) => Math.max(a.from, a.to) - Math.max(b.from, b.to) || a.from - b.from || a.to - b.to)
    .slice(0, MAX_EDGES);
  return {
    nodes: shown,
    edges: among.flatMap(({ from, to }) => [from, to]),
    weights: among.map(({ weight }) => weight),
    left_out: { nodes: nodes.length - shown.length, edges: edges.length - among.length },
  };
}

const MAX_TITLE = 200;
/** A function may answer with 6 MB. An edge takes 20 bytes at most. */
const MAX_NODE_BYTES = 2_500_000;
const MAX_EDGES = 125_000;
