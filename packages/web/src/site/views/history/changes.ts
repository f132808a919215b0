import type { Output } from '@pagetree/wiki/contract';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { commitAddress, pageAddress, viewAddress } from '../../addresses.ts';
import type { Html } from '../../layout.ts';
import { dayOf, showClock } from '../../times.ts';
import type { ViewTools } from '../../view-tools.ts';
import { showAuthor, showMessage } from '../authorship.ts';
import { linkToUndo } from '../writing/ways.ts';
import { filterForm, filterInput, readFilters } from './filters.ts';

/** The history of the wiki, by day. */
export async function answerChanges(context: Context, tools: ViewTools, wiki: string): Promise<Response> {
  const { cursor } = context.req.query();
  const filters = readFilters(context);
  const { entries, next_cursor: next } = await tools.ask('get_history', {
    wiki,
    ...filterInput(filters),
    cursor,
    limit: 50,
  });
  const days = Map.groupBy(entries, ({ date }) => dayOf(date));
  const { agent, author, since } = filters;
  const undo = linkToUndo(tools, wiki, { agent, author, since }, 'Undo what somebody did');
  const main = html`<h1>Changes</h1>
${undo === '' ? '' : html`<ul class="ways"><li>${undo}</li></ul>`}
${filterForm(viewAddress(wiki, 'changes'), filters)}
${entries.length === 0 ? html`<p>Nothing was changed.</p>` : ''}
${[...days].map(
  ([day, changes]) => html`<h2>${day}</h2>
<ol class="changes">${changes.map((change) => oneChange(wiki, change, showClock(change.date), linkToUndo(tools, wiki, { commit: change.commit })))}</ol>
`,
)}
${next === null ? '' : html`<p><a rel="next" href="${viewAddress(wiki, 'changes', { ...filters, cursor: next })}">Older changes</a></p>`}`;
  return tools.answer(context, { wiki, title: 'Changes', main }, entries[0]?.commit ?? null);
}

type Change = Output<'get_history'>['entries'][number];

/** A change of a wiki, with what it touched. */
export function oneChange(wiki: string, change: Change, when: Html, undo: Html | '' = ''): Html {
  const { commit, pages, pages_total: total } = change;
  return html`<li>
${showMessage(change.message, commitAddress(wiki, commit))}
<p class="who">${when} · ${showAuthor(change)}</p>
<ul class="touched">${pages.map(
    ({ path, action }) => html`<li><span class="action ${action}">${action}</span>
<a href="${pageAddress(wiki, path, { view: 'diff', to: commit })}">${path}</a></li>
`,
  )}${showRest(wiki, commit, total - pages.length, total)}${undo === '' ? '' : html`<li>${undo}</li>`}</ul>
</li>
`;
}

/** A way to what is not listed here: further pages, or the files of a commit that changed no page. */
function showRest(wiki: string, commit: string, left: number, total: number): Html | '' {
  if (left > 0) return html`<li><a href="${commitAddress(wiki, commit)}">and ${left} more</a></li>`;
  return total === 0 ? html`<li><a href="${commitAddress(wiki, commit)}">See what changed</a></li>` : '';
}
