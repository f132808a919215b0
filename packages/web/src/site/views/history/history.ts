import type { Output } from '@pagetree/wiki/contract';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { pageAddress } from '../../addresses.ts';
import type { Html } from '../../layout.ts';
import { showTime } from '../../times.ts';
import type { ViewTools } from '../../view-tools.ts';
import { showAuthor, showMessage } from '../authorship.ts';
import { crumbs } from '../tree.ts';
import { linkToRestore, linkToUndo } from '../writing/ways.ts';
import { writeEnd } from './ends.ts';
import { filterForm, filterInput, isFiltered, readFilters } from './filters.ts';

type Entry = Output<'get_history'>['entries'][number];

/** The history of a page, even of one that no longer exists. */
export async function answerHistory(
  context: Context,
  tools: ViewTools,
  wiki: string,
  path: string,
): Promise<Response> {
  const { cursor } = context.req.query();
  const filters = readFilters(context);
  const [{ entries, next_cursor: next }, newest] = await Promise.all([
    tools.ask('get_history', { wiki, path, ...filterInput(filters), cursor, limit: 50 }),
    tools.ask('get_history', { wiki, path, limit: 1 }).then((found) => found.entries[0]),
  ]);
  const here = (query: Record<string, string>) => pageAddress(wiki, path, query);
  const name = path.split('/').at(-1) ?? path;
  const isThere = newest !== undefined && newest.version !== null;
  const versions = entries.filter(({ version }) => version !== null);
  const main = html`${crumbs(wiki, path)}
<h1>History of ${isThere ? html`<a href="${here({})}">${name}</a>` : html`<bdi>${name}</bdi>`}</h1>
${!isThere ? '' : html`<ul class="ways"><li><a href="${here({ view: 'blame' })}">Who wrote it</a></li></ul>`}
${newest === undefined ? html`<p>There never was a page here.</p>` : dayForm(here({}))}
${newest === undefined && !isFiltered(filters) ? '' : filterForm(here({}), filters, 'history')}
${newest !== undefined && entries.length === 0 ? html`<p>Nothing was changed.</p>` : ''}
<form action="${here({})}" class="compare">
<input type="hidden" name="view" value="diff">
${versions.length < 2 ? '' : html`<p><button>Compare the chosen versions</button></p>`}
<ol class="changes">${entries.map(
    (entry) => html`<li>
${versions.length < 2 ? '' : choices(path, entry, versions.indexOf(entry))}
${showMessage(entry.message)}
<p class="who">${showTime(entry.date)} · ${showAuthor(entry)}</p>
${waysOf(wiki, path, entry, {
  restore: entry.commit === newest?.commit ? '' : linkToRestore(tools, wiki, path, entry.commit),
  undo: linkToUndo(tools, wiki, { commit: entry.commit }),
})}
</li>
`,
  )}</ol>
</form>
${next === null ? '' : html`<p><a rel="next" href="${here({ view: 'history', ...filters, cursor: next })}">Older changes</a></p>`}`;
  return tools.answer(context, { wiki, title: `History of ${path}`, main }, newest?.commit ?? null);
}

/** Chooses a version to compare; by default the newest two. `place` is its place among them, -1 if it is none. */
function choices(path: string, { commit, path: then }: Entry, place: number): Html | '' {
  if (place === -1) return '';
  const end = writeEnd({ commit, path: then ?? path }, path);
  return html`<span class="choose"><label><input type="radio" name="from" value="${end}"${
    place === 1 ? html` checked` : ''
  }> older</label> <label><input type="radio" name="to" value="${end}"${
    place === 0 ? html` checked` : ''
  }> newer</label></span>`;
}

/** The ways from an entry on: the page and its change have the path of that time. */
function waysOf(
  wiki: string,
  path: string,
  entry: Entry,
  { restore, undo }: Record<'restore' | 'undo', Html | ''>,
): Html {
  const { commit, version, moved_to: movedTo } = entry;
  const then = entry.path ?? path;
  return html`<ul class="ways">
${
  version !== null
    ? html`<li><a href="${pageAddress(wiki, then, { at: commit })}">The page then</a></li>`
    : movedTo === null
      ? html`<li>deleted here</li>`
      : html`<li>moved to <a href="${pageAddress(wiki, movedTo, { view: 'history' })}">${movedTo}</a></li>`
}
<li><a href="${pageAddress(wiki, movedTo ?? then, { view: 'diff', to: commit })}">What changed</a></li>
${version === null || restore === '' ? '' : html`<li>${restore}</li>`}
${undo === '' ? '' : html`<li>${undo}</li>`}</ul>`;
}

function dayForm(page: string): Html {
  return html`<form class="filters" action="${page}">
<label>The page on <input type="date" name="at" required></label>
<button>Show</button>
</form>`;
}
