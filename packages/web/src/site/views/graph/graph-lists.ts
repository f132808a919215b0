import { html } from 'hono/html';
import { viewAddress } from '../../addresses.ts';
import type { Html } from '../../layout.ts';
import type { Graph } from './kept-graphs.ts';
import { addressOf } from './node-address.ts';

type Node = Graph['nodes'][number];

/** Those with most links first, some at a time. */
export function wholeList(wiki: string, graph: Graph, from: number): Html {
  const shown = graph.nodes.slice(from, from + AT_ONCE);
  const next = from + AT_ONCE;
  const title = graph.of === 'folders' ? 'Folders by links' : 'Pages by links';
  return html`<section aria-labelledby="ui.list"><h2 id="ui.list">${title}</h2>
${list(wiki, graph, shown)}
${
  next < graph.nodes.length
    ? html`<p><a rel="next" href="${viewAddress(wiki, 'graph', { from: String(next) })}">More</a></p>`
    : ''
}</section>`;
}

const AT_ONCE = 200;

/** The links of the page in the middle, and what is farther away by distance. */
export function aroundList(wiki: string, graph: Graph): Html {
  const { nodes, edges } = graph;
  const to = new Set<number>();
  const from = new Set<number>();
  for (let at = 0; at < edges.length; at += 2) {
    if (edges[at] === 0) to.add(edges[at + 1] ?? 0);
    if (edges[at + 1] === 0) from.add(edges[at] ?? 0);
  }
  const named = (title: string, shown: readonly Node[]) =>
    shown.length === 0 ? '' : html`<section><h2>${title}</h2>${list(wiki, graph, shown)}</section>`;
  return html`${named(
    'It links to',
    nodes.filter((_, at) => to.has(at)),
  )}
${named(
  'Linked from',
  nodes.filter((_, at) => from.has(at)),
)}
${[2, 3].map((far) =>
  named(
    `${far} links away`,
    nodes.filter(({ distance }) => distance === far),
  ),
)}`;
}

function list(wiki: string, graph: Graph, nodes: readonly Node[]): Html {
  return html`<ul class="pages">${nodes.map(
    ({
      path,
      title,
      linked,
      pages,
    }) => html`<li><a href="${addressOf(wiki, graph, path)}">${title || 'The root'}</a>
<span class="path">${path}</span> <span class="count">${
      pages === undefined ? '' : `${pages.toLocaleString('en')} ${pages === 1 ? 'page' : 'pages'}, `
    }linked with ${linked.toLocaleString('en')}</span>${
      graph.of === 'folders'
        ? ''
        : html` <a class="when" href="${viewAddress(wiki, 'graph', { around: path })}">Graph<span class="sr-only"> around ${title}</span></a>`
    }</li>
`,
  )}</ul>`;
}
