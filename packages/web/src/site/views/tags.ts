import type { Context } from 'hono';
import { html } from 'hono/html';
import { viewAddress } from '../addresses.ts';
import type { ViewTools } from '../view-tools.ts';
import { pageList } from './page-list.ts';

/** All tags, or the pages that have one. */
export async function answerTags(context: Context, tools: ViewTools, wiki: string): Promise<Response> {
  const { tag, cursor } = context.req.query();
  if (tag === undefined || tag === '') return allTags(context, tools, wiki, cursor);
  const listed = await tools.ask('list_pages', { wiki, tag, cursor, limit: 100 });
  const main = html`<h1>Pages with the tag <span class="tag">${tag}</span></h1>
<p>${listed.total} ${listed.total === 1 ? 'page' : 'pages'}. <a href="${viewAddress(wiki, 'tags')}">All tags</a></p>
${pageList(wiki, listed.pages, tools.isStatic)}
${
  listed.next_cursor === null
    ? ''
    : html`<p><a rel="next" href="${viewAddress(wiki, 'tags', { tag, cursor: listed.next_cursor })}">More pages</a></p>`
}`;
  return tools.answer(context, { wiki, title: `Tag ${tag}`, main }, listed.commit);
}

async function allTags(
  context: Context,
  tools: ViewTools,
  wiki: string,
  cursor: string | undefined,
): Promise<Response> {
  const { commit, tags, next_cursor } = await tools.ask('list_tags', { wiki, cursor });
  const main = html`<h1>Tags</h1>
${tags.length === 0 ? html`<p>No page has a tag yet.</p>` : ''}
<ul class="tags all">${tags.map(
    ({
      tag,
      pages,
    }) => html`<li><a href="${viewAddress(wiki, 'tags', { tag })}">${tag}</a> <span class="count">${pages}</span></li>
`,
  )}</ul>
${
  next_cursor === null
    ? ''
    : html`<p><a rel="next" href="${viewAddress(wiki, 'tags', { cursor: next_cursor })}">More tags</a></p>`
}`;
  return tools.answer(context, { wiki, title: 'Tags', main }, commit);
}
