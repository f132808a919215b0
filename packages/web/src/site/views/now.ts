import type { Output } from '@pagetree/wiki/contract';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { folderAddress, liveAddress, NOW_ADDRESS, pageAddress, viewAddress } from '../addresses.ts';
import type { Html } from '../layout.ts';
import { MAX_WIKIS } from '../live/live.ts';
import { showTime } from '../times.ts';
import type { ViewTools } from '../view-tools.ts';
import { showAuthor } from './authorship.ts';
import { oneChange } from './history/changes.ts';

type Change = Output<'get_history'>['entries'][number] & { wiki: string };

/** The newest changes of all wikis, and who makes them. */
export async function answerNow(context: Context, tools: ViewTools): Promise<Response> {
  const { agent } = context.req.query();
  const { wikis, default: first } = await tools.ask('list_wikis', {});
  const found = await Promise.all(wikis.slice(0, MAX_WIKIS).map((wiki) => changesOf(tools, wiki, agent)));
  const changes = found
    .flatMap((each) => each ?? [])
    .toSorted((one, other) => Date.parse(other.date) - Date.parse(one.date))
    .slice(0, MAX_CHANGES);
  const main = html`<h1>Now</h1>
${agent ? html`<p>Only changes through <bdi>${agent}</bdi>. <a href="${NOW_ADDRESS}">Show all</a></p>` : ''}
${found.map((each, at) =>
  each === null ? html`<p class="notice">The wiki ${wikis[at]} cannot be read at the moment.</p>` : '',
)}
<div class="now">
${changes.length === 0 ? html`<p>Nothing was changed.</p>` : atWork(changes)}
<ol class="changes">${changes.map((change) =>
    oneChange(
      change.wiki,
      change,
      html`${showTime(change.date)} in <a href="${folderAddress(change.wiki, '')}">${change.wiki}</a>`,
    ),
  )}</ol>
</div>
${wikis.length > MAX_WIKIS ? html`<p>The first ${MAX_WIKIS} of ${wikis.length} wikis are shown.</p>` : ''}`;
  const wiki = wikis.includes(first) ? first : (wikis[0] ?? null);
  const sheet = { wiki, title: 'Now', main, live: { stream: liveAddress() } };
  return tools.answer(context, sheet, changes[0]?.commit ?? null);
}

/** Null if the wiki cannot be read: it does not hide the others. */
async function changesOf(tools: ViewTools, wiki: string, agent?: string): Promise<Change[] | null> {
  const asked = { wiki, agent: agent === '' ? undefined : agent, limit: MAX_CHANGES };
  return tools.ask('get_history', asked).then(
    ({ entries }) => entries.map((entry) => ({ ...entry, wiki })),
    () => null,
  );
}

/** The agents of the changes, and the people who used none, each with its newest change. */
function atWork(changes: readonly Change[]): Html {
  const byWriter = Map.groupBy(changes, ({ author, agent }) => agent ?? author);
  return html`<h2>Who is at work</h2>
<ul class="agents">${[...byWriter.values()].map(([newest, ...others]) => {
    if (newest === undefined) return '';
    const { wiki, agent, date, pages } = newest;
    const [page] = pages;
    const count = others.length + 1;
    return html`<li>${
      agent === null
        ? showAuthor(newest)
        : html`<a class="agent" href="${`${NOW_ADDRESS}?agent=${encodeURIComponent(agent)}`}">${agent}</a>`
    } <span class="when">${count} ${count === 1 ? 'change' : 'changes'}, the last one ${showTime(date)}${
      page === undefined ? '' : html` on <a href="${pageAddress(wiki, page.path)}">${page.path}</a>`
    }</span></li>
`;
  })}</ul>
<h2>Changes</h2>
<p class="hint">Of one wiki with all its past: ${[...new Set(changes.map(({ wiki }) => wiki))].map(
    (wiki) => html`<a href="${viewAddress(wiki, 'changes')}">${wiki}</a> `,
  )}</p>`;
}

const MAX_CHANGES = 50;
