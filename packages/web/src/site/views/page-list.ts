import type { Output } from '@pagetree/wiki/contract';
import { html } from 'hono/html';
import { pageAddress } from '../addresses.ts';
import type { Html } from '../layout.ts';
import { showTime, showTimeAnywhere } from '../times.ts';

/** Pages with their paths and the times of their last changes. */
export function pageList(wiki: string, pages: Output<'list_pages'>['pages'], isStatic = false): Html {
  return html`<ul class="pages">${pages.map(
    ({ path, title, updated }) => html`<li><a href="${pageAddress(wiki, path)}">${title}</a>
<span class="path">${path}</span> <span class="when">${isStatic ? showTimeAnywhere(updated) : showTime(updated)}</span></li>
`,
  )}</ul>`;
}
