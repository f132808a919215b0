import type { CallInput } from '@pagetree/wiki/contract';
import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Html } from '../../layout.ts';
import { endOfDay, startOfDay } from '../../times.ts';

/** The conditions of a history, as its address has them; empty for none. */
export interface Filters {
  author: string;
  agent: string;
  since: string;
  until: string;
}

export function readFilters(context: Context): Filters {
  const { author = '', agent = '', since = '', until = '' } = context.req.query();
  return { author, agent, since, until };
}

export function isFiltered(filters: Filters): boolean {
  return Object.values(filters).some((value) => value !== '');
}

/** The conditions in the form that get_history takes. The last day counts whole. */
export function filterInput({ author, agent, since, until }: Filters): CallInput<'get_history'> {
  return {
    author: author || undefined,
    agent: agent || undefined,
    since: since === '' ? undefined : startOfDay(since),
    until: until === '' ? undefined : endOfDay(until),
  };
}

/** A form that shows a history with other conditions. `view` is the view at the address, if it needs a name. */
export function filterForm(address: string, filters: Filters, view?: string): Html {
  return html`<form class="filters" action="${address}">
${view === undefined ? '' : html`<input type="hidden" name="view" value="${view}">`}
<label>Author <input name="author" value="${filters.author}"></label>
<label>Agent <input name="agent" value="${filters.agent}"></label>
<label>From <input type="date" name="since" value="${filters.since}"></label>
<label>To <input type="date" name="until" value="${filters.until}"></label>
<button>${view === undefined ? 'Show' : 'Filter'}</button>
</form>`;
}
