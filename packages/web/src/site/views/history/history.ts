import type { Context } from 'hono';
import { html } from 'hono/html';
import { pageAddress } from '../../addresses.ts';
import type { Html } from '../../layout.ts';
import { showTime } from '../../times.ts';
import type { ViewTools } from '../../view-tools.ts';
import { showAuthor, showMessage } from '../authorship.ts';
import { pastPaths } from '../past-paths.ts';
import { crumbs } from '../tree.ts';

/** The history of a page, even of one that no longer exists. */
export async function answerHistory(
  context: Context,
  tools: ViewTools,
  wiki: string,
  path: string,
): Promise<Response> {
  const { cursor } = context.req.query();
  const { entries, next_cursor: next } = await tools.ask('get_history', { wiki, path, cursor, limit: 50 });
  const paths = pastPaths(path, entries);
  const here = (query: Record<string, string>) => pageAddress(wiki, path, query);
  const main = html`${crumbs(wiki, path)}
<h1>History of <a href="${here({})}">${path.split('/').at(-1)}</a></h1>
${entries[0]?.version == null ? '' : html`<ul class="ways"><li><a href="${here({ view: 'blame' })}">Who wrote it</a></li></ul>`}
${entries.length === 0 ? html`<p>There never was a page here.</p>` : dayForm(here({}))}
<form action="${here({})}" class="compare">
<input type="hidden" name="view" value="diff">
${entries.length < 2 ? '' : html`<p><button>Compare the chosen versions</button></p>`}
<ol class="changes">${entries.map(
    (entry, index) => html`<li>
${
  entries.length < 2 || entry.version === null
    ? ''
    : html`<span class="choose"><label><input type="radio" name="from" value="${entry.commit}"${
        index === 1 ? html` checked` : ''
      }> older</label> <label><input type="radio" name="to" value="${entry.commit}"${
        index === 0 ? html` checked` : ''
      }> newer</label></span>`
}
${showMessage(entry.message)}
<p class="who">${showTime(entry.date)} · ${showAuthor(entry)}</p>
<ul class="ways">
${entry.version === null ? html`<li>deleted here</li>` : html`<li><a href="${pageAddress(wiki, paths[index] ?? path, { at: entry.commit })}">The page then</a></li>`}
<li><a href="${pageAddress(wiki, paths[index] ?? path, { view: 'diff', to: entry.commit })}">What changed</a></li>
</ul>
</li>
`,
  )}</ol>
</form>
${next === null ? '' : html`<p><a rel="next" href="${here({ view: 'history', cursor: next })}">Older changes</a></p>`}`;
  return tools.answer(context, { wiki, title: `History of ${path}`, main }, entries[0]?.commit ?? null);
}

function dayForm(page: string): Html {
  return html`<form class="filters" action="${page}">
<label>The page on <input type="date" name="at" required></label>
<button>Show</button>
</form>`;
}
