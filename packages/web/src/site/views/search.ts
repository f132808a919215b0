import type { Output } from '@pagetree/wiki/contract';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { pageAddress, viewAddress } from '../addresses.ts';
import type { Html } from '../layout.ts';
import { endOfDay, startOfDay } from '../times.ts';
import type { ViewTools } from '../view-tools.ts';
import { markWords } from './history/mark-words.ts';
import { pageList } from './page-list.ts';

export async function answerSearch(context: Context, tools: ViewTools, wiki: string): Promise<Response> {
  const {
    q = '',
    folder = '',
    tag = '',
    since = '',
    until = '',
    author = '',
    agent = '',
    cursor,
  } = context.req.query();
  const query = q.trim();
  const filters = {
    prefix: folder,
    tag,
    updated_since: since === '' ? undefined : startOfDay(since),
    updated_until: until === '' ? undefined : endOfDay(until),
    author: author || undefined,
    agent: agent || undefined,
  };
  const isFiltered = Object.values(filters).some((value) => value);
  const found =
    query === '' ? null : await tools.ask('search_pages', { wiki, query, ...filters, cursor, limit: 20 });
  const listed =
    query === '' && isFiltered
      ? await tools.ask('list_pages', { wiki, ...filters, sort: 'updated', cursor, limit: 50 })
      : null;
  // Without a question nothing else finds out whether there is such a wiki.
  if (found === null && listed === null) await tools.ask('list_folder', { wiki });
  const asked = { q: query, folder, tag, since, until, author, agent };
  const title = query === '' ? 'Search' : `Search: ${query}`;
  const main = html`<h1>Search</h1>
<form class="filters" action="${viewAddress(wiki, 'search')}">
<label>Words <input type="search" name="q" value="${q}"></label>
<label>Folder <input name="folder" value="${folder}" placeholder="Guides/"></label>
<label>Tag <input name="tag" value="${tag}"></label>
<label>Changed from <input type="date" name="since" value="${since}"></label>
<label>Changed to <input type="date" name="until" value="${until}"></label>
<label>Last changed by <input name="author" value="${author}"></label>
<label>Through agent <input name="agent" value="${agent}"></label>
<button>Search</button>
</form>
${found !== null ? results(wiki, asked, found) : listed !== null ? list(wiki, asked, listed) : hint()}`;
  return tools.answer(context, { wiki, title, main, query: q }, (found ?? listed)?.commit ?? null);
}

function hint(): Html {
  return html`<p class="hint">Pages with any of the words are found, best first. <code>word*</code> also finds longer words, and
<code>"two words"</code> a phrase. Without words, all pages that fit the other fields are listed, the last change first.</p>`;
}

type Asked = Record<'q' | 'folder' | 'tag' | 'since' | 'until' | 'author' | 'agent', string>;

function list(wiki: string, asked: Asked, { pages, total, next_cursor: cursor }: Output<'list_pages'>): Html {
  return html`${count(total)}
${pageList(wiki, pages)}
${morePages(wiki, asked, cursor)}`;
}

function count(total: number): Html {
  return html`<p role="status">${total === 0 ? 'No page was found.' : `${total} ${total === 1 ? 'page' : 'pages'}`}</p>`;
}

function morePages(wiki: string, asked: Asked, cursor: string | null): Html | '' {
  if (cursor === null) return '';
  return html`<p><a rel="next" href="${viewAddress(wiki, 'search', { ...asked, cursor })}">More pages</a></p>`;
}

function results(
  wiki: string,
  asked: Asked,
  { hits, total, next_cursor: cursor, note }: Output<'search_pages'>,
): Html {
  return html`${count(total)}
${note === undefined ? '' : html`<p class="notice">${note}</p>`}
<ol class="hits">${hits.map(
    ({ path, title, lines, superseded_by: successor }) => html`<li>
<h2><a href="${pageAddress(wiki, path)}">${markWords(title, asked.q)}</a></h2>
<p class="path">${path}</p>
${successor === undefined ? '' : html`<p class="hint">Superseded by <a href="${pageAddress(wiki, successor)}">${successor}</a></p>`}
${lines.slice(0, MAX_LINES).map(({ text }) => html`<p class="line">${markWords(text, asked.q)}</p>`)}
</li>
`,
  )}</ol>
${morePages(wiki, asked, cursor)}`;
}

const MAX_LINES = 4;
