import type { Context } from 'hono';
import { html } from 'hono/html';
import { viewAddress } from '../addresses.ts';
import type { ViewTools } from '../view-tools.ts';
import { pageList } from './page-list.ts';

/** The search page of a static site. Its script answers; without it the lists lead to every page. */
export async function answerStaticSearch(
  context: Context,
  tools: ViewTools,
  wiki: string,
): Promise<Response> {
  const { commit } = await tools.ask('list_folder', { wiki });
  const main = html`<h1>Search</h1>
<p id="ui.search" role="status">Search needs JavaScript. Without it, look at <a href="${viewAddress(wiki, 'pages')}">all pages</a> or at the <a href="${viewAddress(wiki, 'tags')}">tags</a>.</p>
<ol class="hits" id="ui.hits"></ol>`;
  return tools.answer(context, { wiki, title: 'Search', main, script: 'search' }, commit);
}

/** All pages of a static site, by path. */
export async function answerAllPages(context: Context, tools: ViewTools, wiki: string): Promise<Response> {
  const { cursor } = context.req.query();
  const listed = await tools.ask('list_pages', { wiki, cursor, limit: 200 });
  const main = html`<h1>All pages</h1>
<p>${listed.total} ${listed.total === 1 ? 'page' : 'pages'}</p>
${pageList(wiki, listed.pages, true)}
${
  listed.next_cursor === null
    ? ''
    : html`<p><a rel="next" href="${viewAddress(wiki, 'pages', { cursor: listed.next_cursor })}">More pages</a></p>`
}`;
  return tools.answer(context, { wiki, title: 'All pages', main }, listed.commit);
}
