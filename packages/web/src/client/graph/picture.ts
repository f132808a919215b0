import Sigma from 'sigma';
import { EdgeLineProgram, NodePointProgram } from 'sigma/rendering';
import type { NodeDisplayData } from 'sigma/types';
import { DARK, readColours } from './colours.ts';
import { NameDrawer } from './draw-names.ts';
import { addLinks, type GraphData, nodesOf } from './graph-data.ts';
import { layOut } from './layout.ts';

/** The picture of a graph. Its nodes are links; it moves only as the reader moves it. */
export class Picture {
  readonly #data: GraphData;
  readonly #names = new NameDrawer(() => this.#colours.paper);
  readonly #sigma: Sigma;
  #colours = readColours();
  #found: ReadonlySet<string> | null = null;

  constructor(place: HTMLElement, data: GraphData) {
    this.#data = data;
    const graph = nodesOf(data);
    if (!this.#hasManyLinks) addLinks(graph, data, 0, this.#linkCount);
    layOut(graph);
    this.#sigma = new Sigma(graph, place, this.#settings());
    this.#sigma.on('beforeRender', () => this.#names.beginFrame());
    this.#sigma.on('clickNode', ({ node }) => location.assign(data.nodes[Number(node)]?.address ?? ''));
    this.#sigma.on('enterNode', () => place.classList.add('on-node'));
    this.#sigma.on('leaveNode', () => place.classList.remove('on-node'));
    DARK.addEventListener('change', () => {
      this.#colours = readColours();
      this.#sigma.setSettings(this.#colourSettings());
    });
  }

  /** Draws the links if they are many. Before, the nodes alone are on the screen, and can be moved meanwhile. */
  async drawManyLinks(): Promise<void> {
    if (!this.#hasManyLinks) return;
    const graph = this.#sigma.getGraph().copy();
    for (let first = 0; first < this.#linkCount; first += LINKS_A_FRAME) {
      await nextFrame();
      addLinks(graph, this.#data, first, LINKS_A_FRAME);
    }
    this.#sigma.setGraph(graph);
  }

  /** Highlights the nodes that have the text, and returns how many do. */
  highlight(text: string): number {
    const wanted = text.toLowerCase();
    const has = (each: string) => each.toLowerCase().includes(wanted);
    const found = this.#data.nodes.flatMap(({ title, path }, at) =>
      has(title) || has(path) ? [String(at)] : [],
    );
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

  get #linkCount(): number {
    return this.#data.edges.length / 2;
  }

  get #hasManyLinks(): boolean {
    return this.#linkCount > MANY_LINKS;
  }

  #settings() {
    return {
      ...this.#colourSettings(),
      nodeProgramClasses: { point: NodePointProgram },
      edgeProgramClasses: { line: EdgeLineProgram },
      defaultNodeType: 'point',
      defaultEdgeType: 'line',
      labelFont: 'system-ui, sans-serif',
      labelRenderedSizeThreshold: 0,
      hideEdgesOnMove: this.#hasManyLinks,
      hideLabelsOnMove: this.#data.nodes.length > MANY_NODES,
      defaultDrawNodeLabel: this.#names.drawName,
      defaultDrawNodeHover: this.#names.drawHover,
      nodeReducer: (node: string, data: Record<string, unknown>) => this.#shown(node, data),
      inertiaDuration: movement(200),
      zoomDuration: movement(250),
      doubleClickZoomingDuration: movement(200),
    };
  }

  #colourSettings() {
    const { ink, edgeOf } = this.#colours;
    return {
      labelColor: { color: ink },
      defaultEdgeColor: edgeOf(Math.min(1, MANY_LINKS / this.#linkCount)),
    };
  }

  #shown(node: string, data: Record<string, unknown>): Partial<NodeDisplayData> {
    if (this.#found === null) return { ...data, color: this.#colours.ofFolder(Number(data.top)) };
    if (!this.#found.has(node)) return { ...data, color: this.#colours.muted, label: null };
    return { ...data, color: this.#colours.found, highlighted: this.#found.size <= MAX_NAMED };
  }
}

/** From here on the names would slow down every movement. */
const MANY_NODES = 1_500;
/** From here on links are drawn after the nodes, are left out during a movement, and let through what is behind them. */
const MANY_LINKS = 1_500;
/** Takes some 25 ms. */
const LINKS_A_FRAME = 5_000;
/** More names would cover each other. */
const MAX_NAMED = 30;

function nextFrame(): Promise<unknown> {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}

/** A reader who wants no movement gets one step: sigma divides by the duration. */
function movement(duration: number): number {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 1 : duration;
}
