import type { Output } from '@pagetree/wiki/contract';
import { LRUCache } from 'lru-cache';
import type { ViewTools } from '../../view-tools.ts';

export type Graph = NonNullable<Output<'view_graph'>['graph']>;

export interface AskedGraph {
  wiki: string;
  /** The page in the middle; without it the whole wiki. */
  path: string | undefined;
  depth: number;
}

/** The last graphs, as of the newest commit: a view asks for its graph twice, as a list and as a picture. */
export class KeptGraphs {
  readonly #kept = new LRUCache<string, { commit: string; graph: Graph }>({
    maxSize: 40_000_000,
    sizeCalculation: ({ graph }) => 400 * graph.nodes.length + 16 * graph.edges.length + 200,
  });

  async of(
    tools: ViewTools,
    { wiki, path, depth }: AskedGraph,
  ): Promise<{ commit: string | null; graph: Graph }> {
    const key = JSON.stringify([tools.keptBy, wiki, path, depth]);
    const kept = this.#kept.get(key);
    const { commit, graph } = await tools.ask('view_graph', { wiki, path, depth, known: kept?.commit });
    if (graph === null) {
      if (kept === undefined) throw new Error('The graph of a commit that was not asked for was left out.');
      return kept;
    }
    if (commit !== null) this.#kept.set(key, { commit, graph });
    return { commit, graph };
  }
}
