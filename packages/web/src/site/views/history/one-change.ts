import type { Output } from '@pagetree/wiki/contract';
import { html } from 'hono/html';
import type { Html } from '../../layout.ts';
import { showTime } from '../../times.ts';
import { showAuthor, showMessage } from '../authorship.ts';

type Entry = Pick<Output<'get_history'>['entries'][number], 'message' | 'date' | 'author' | 'agent'>;

/** The author of a change, the agent, the time and the reason. */
export function showChange(entry: Entry): Html {
  return html`<div class="one-change">${showMessage(entry.message)}
<p class="who">${showTime(entry.date)} · ${showAuthor(entry)}</p></div>`;
}
