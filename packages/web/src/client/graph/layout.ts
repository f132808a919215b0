import type { DirectedGraph } from 'graphology';
import library from 'graphology-layout-forceatlas2';

/**
 * Gives each node of the graph its place, at once and always the same. Nodes of a folder lie together, folders on a
 * spiral, the first ones in the middle; few nodes then move by their links.
 */
export function layOut(graph: DirectedGraph): void {
  const folders = Map.groupBy(graph.nodes(), (node) => String(graph.getNodeAttribute(node, 'folder')));
  let before = 0;
  for (const [number, nodes] of [...folders.values()].entries()) {
    const middle = spiral(number, Math.sqrt(before + nodes.length / 2) * FOLDER_GAP);
    for (const [at, node] of nodes.entries()) {
      const { x, y } = spiral(at, Math.sqrt(at));
      graph.mergeNodeAttributes(node, { x: middle.x + x, y: middle.y + y });
    }
    before += nodes.length;
  }
  if (graph.order > MAX_MOVED || graph.order < 2) return;
  const settings = { ...forceAtlas2.inferSettings(graph), adjustSizes: false };
  forceAtlas2.assign(graph, { iterations: ITERATIONS, settings });
}

// It is CommonJS, and its types describe an ES module.
const forceAtlas2 = library as unknown as typeof library.default;

/** The area of a folder grows with its nodes; this much more keeps folders apart. */
const FOLDER_GAP = 1.5;
/** More would take longer than a person waits: a step takes milliseconds for each thousand nodes and links. */
const MAX_MOVED = 600;
const ITERATIONS = 120;

/** Points by the golden angle cover a disc evenly. */
function spiral(number: number, radius: number): { x: number; y: number } {
  const angle = number * Math.PI * (3 - Math.sqrt(5));
  return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
}
