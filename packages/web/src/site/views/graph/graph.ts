import type { Context } from 'hono';
import { html } from 'hono/html';
import { graphDataAddress, pageAddress, viewAddress } from '../../addresses.ts';
import { useGraphScript } from '../../graph-script.ts';
import type { Html } from '../../layout.ts';
import type { ViewTools } from '../../view-tools.ts';
import { aroundList, wholeList } from './graph-lists.ts';
import type { AskedGraph, Graph, KeptGraphs } from './kept-graphs.ts';
import { addressOf } from './node-address.ts';

/** The links of a wiki, or those around a page, as a list and as a picture. */
export async function answerGraph(
  context: Context,
  tools: ViewTools,
  kept: KeptGraphs,
  wiki: string,
): Promise<Response> {
  const asked = askedIn(context, wiki);
  const { commit, graph } = await kept.of(tools, asked);
  const { path, depth } = asked;
  const middle = path === undefined ? undefined : graph.nodes[0];
  const from = Math.max(0, Number.parseInt(context.req.query('from') ?? '', 10) || 0);
  const title = middle === undefined ? 'Graph of links' : `Graph around ${middle.title}`;
  const main = html`<h1>${middle === undefined ? title : html`Graph around <a href="${pageAddress(wiki, middle.path)}">${middle.title}</a>`}</h1>
${middle === undefined ? '' : distances(wiki, middle.path, depth)}
<p>${sizeOf(graph, middle !== undefined)}</p>
${
  graph.nodes.length === 0
    ? ''
    : html`<div class="graph" data-graph="${graphDataAddress(wiki, { around: path, depth: String(depth) })}"></div>`
}
${middle === undefined ? wholeList(wiki, graph, from) : aroundList(wiki, graph)}`;
  const ownScript = useGraphScript(context, tools.graph);
  return tools.answer(context, { wiki, title, main, ownScript }, commit);
}

/** The graph for the script: each node with its address, so that only one place makes addresses. */
export async function answerGraphData(
  context: Context,
  tools: ViewTools,
  kept: KeptGraphs,
  wiki: string,
): Promise<Response> {
  const { graph } = await kept.of(tools, askedIn(context, wiki));
  const nodes = graph.nodes.map(({ path, title, linked }) => ({
    title,
    path,
    linked,
    address: addressOf(wiki, graph, path),
  }));
  const { edges, weights } = graph;
  return context.json({ of: graph.of, nodes, edges, weights }, 200, { 'Cache-Control': 'no-store' });
}

function askedIn(context: Context, wiki: string): AskedGraph {
  const { around, depth } = context.req.query();
  const number = Number(depth);
  return { wiki, path: around || undefined, depth: DEPTHS.includes(number) ? number : 1 };
}

const DEPTHS = [1, 2, 3];

function distances(wiki: string, path: string, chosen: number): Html {
  return html`<nav aria-label="Distance"><ul class="kinds">${DEPTHS.map(
    (depth) =>
      html`<li><a href="${viewAddress(wiki, 'graph', { around: path, depth: String(depth) })}"${
        depth === chosen ? html` aria-current="page"` : ''
      }>${depth === 1 ? '1 link away' : `${depth} links away`}</a></li>
`,
  )}<li><a href="${viewAddress(wiki, 'graph')}">The whole wiki</a></li></ul></nav>`;
}

function sizeOf({ of, pages, nodes, edges, left_out: left }: Graph, isAround: boolean): Html {
  const links = count(edges.length / 2, 'link');
  const shown =
    of === 'folders'
      ? `${count(pages, 'page')} in ${count(nodes.length, 'folder')}. Links between the same two folders count as one: ${links}.`
      : `${count(nodes.length, 'page')} and ${links}.`;
  const omitted = [
    ...(left.nodes > 0 ? [count(left.nodes, of === 'folders' ? 'folder' : 'page')] : []),
    ...(left.edges > 0 ? [count(left.edges, 'link')] : []),
  ];
  return html`${shown}${
    omitted.length === 0
      ? ''
      : ` Too many to show: ${omitted.join(' and ')} more ${isAround ? 'around the page' : ''} are left out.`
  }`;
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}
