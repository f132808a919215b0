import { DirectedGraph } from 'graphology';
import Sigma from 'sigma';
import { EdgeLineProgram, NodePointProgram } from 'sigma/rendering';
import type { NodeDisplayData } from 'sigma/types';
import { DARK, readColours } from './colours.ts';
import { drawHover } from './draw-hover.ts';
import { layOut } from './layout.ts';

/** The graph as the site sends it. Titles and paths are what anybody wrote. */
export interface GraphData {
  of: 'pages' | 'folders';
  nodes: { title: string; path: string; address: string; linked: number }[];
  /** Two numbers of nodes for each link. */
  edges: number[];
  weights?: number[];
}

/** The picture of a graph. Its nodes are links; it moves only as the reader moves it. */
export class Picture {
  readonly #sigma: Sigma;
  readonly #nodes: GraphData['nodes'];
  #colours = readColours();
  #found: ReadonlySet<string> | null = null;

  constructor(place: HTMLElement, data: GraphData) {
    this.#nodes = data.nodes;
    const graph = graphOf(data);
    layOut(graph);
    this.#sigma = new Sigma(graph, place, this.#settings(graph));
    this.#sigma.on('clickNode', ({ node }) => location.assign(data.nodes[Number(node)]?.address ?? ''));
    this.#sigma.on('enterNode', () => place.classList.add('on-node'));
    this.#sigma.on('leaveNode', () => place.classList.remove('on-node'));
    DARK.addEventListener('change', () => {
      this.#colours = readColours();
      this.#sigma.setSettings({
        defaultEdgeColor: this.#colours.edge,
        labelColor: { color: this.#colours.ink },
      });
    });
  }

  /** Highlights the nodes that have the text, and returns how many do. */
  highlight(text: string): number {
    const wanted = text.toLowerCase();
    const has = (each: string) => each.toLowerCase().includes(wanted);
    const found = this.#nodes.flatMap(({ title, path }, at) => (has(title) || has(path) ? [String(at)] : []));
    this.#found = wanted === '' ? null : new Set(found);
    this.#sigma.refresh({ skipIndexation: true });
    return found.length;
  }

  /** Puts the first highlighted node into the middle. */
  goToFirst(): void {
    const [first] = this.#found ?? [];
    const place = first === undefined ? undefined : this.#sigma.getNodeDisplayData(first);
    if (place === undefined) return;
    const { x, y } = place;
    const ratio = Math.min(this.#sigma.getCamera().ratio, 0.3);
    void this.#sigma.getCamera().animate({ x, y, ratio }, { duration: movement(300) });
  }

  #settings(graph: DirectedGraph) {
    return {
      nodeProgramClasses: { point: NodePointProgram },
      edgeProgramClasses: { line: EdgeLineProgram },
      defaultNodeType: 'point',
      defaultEdgeType: 'line',
      defaultEdgeColor: this.#colours.edge,
      labelColor: { color: this.#colours.ink },
      labelFont: 'system-ui, sans-serif',
      // Few nodes all have room for a name.
      labelRenderedSizeThreshold: graph.order > MANY ? 6 : 0,
      hideEdgesOnMove: graph.size > MANY,
      hideLabelsOnMove: graph.order > MANY,
      defaultDrawNodeHover: drawHover(() => this.#colours.paper),
      nodeReducer: (node: string, data: Record<string, unknown>) => this.#shown(node, data),
      inertiaDuration: movement(200),
      zoomDuration: movement(250),
      doubleClickZoomingDuration: movement(200),
    };
  }

  #shown(node: string, data: Record<string, unknown>): Partial<NodeDisplayData> {
    if (this.#found === null) return { ...data, color: this.#colours.ofFolder(Number(data.top)) };
    if (!this.#found.has(node)) return { ...data, color: this.#colours.muted, label: null };
    return { ...data, color: this.#colours.found, highlighted: this.#found.size <= MAX_NAMED };
  }
}

/** From here on names and links would slow down every movement. */
const MANY = 1_500;
/** More names would cover each other. */
const MAX_NAMED = 30;

/** A reader who wants no movement gets one step: sigma divides by the duration. */
function movement(duration: number): number {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 1 : duration;
}

function graphOf({ of, nodes, edges, weights }: GraphData): DirectedGraph {
  const graph = new DirectedGraph();
  const tops = new Map<string, number>();
  const most = nodes.reduce((largest, { linked }) => Math.max(largest, linked), 1);
  for (const [at, { title, path, linked }] of nodes.entries()) {
    const end = of === 'folders' ? path.length : Math.max(0, path.lastIndexOf('/'));
    const [top = ''] = path.slice(0, end).split('/');
    if (!tops.has(top)) tops.set(top, tops.size);
    graph.addNode(String(at), {
      label: title === '' ? 'The root' : title,
      folder: of === 'folders' ? top : path.slice(0, end),
      top: tops.get(top),
      size: 3 + 9 * Math.sqrt(linked / most),
    });
  }
  for (let at = 0; at < edges.length; at += 2) {
    graph.addEdge(String(edges[at]), String(edges[at + 1]), { weight: weights?.[at / 2] ?? 1 });
  }
  return graph;
}
