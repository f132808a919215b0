import type { Output } from '@pagetree/wiki/contract';
import { html } from 'hono/html';
import type { RenderedPage } from '../../render/page-part.ts';
import { fileAddress, pageAddress, viewAddress } from '../addresses.ts';
import type { Html } from '../layout.ts';
import { showTime, showTimeAnywhere } from '../times.ts';
import type { ViewTools } from '../view-tools.ts';
import { firstLine, showAuthor } from './authorship.ts';
import { waysToChange } from './writing/ways.ts';

type Page = NonNullable<Output<'view_page'>['page']>;

/**
 * The part beside the page: its properties, the places in it to go to, and its history, under the path that it
 * has now. Only a page that is there now has writers to show.
 */
export function besidePage(
  tools: ViewTools,
  wiki: string,
  page: Page,
  { outline, now }: { outline: RenderedPage['outline']; now: string | null },
): Html {
  const below = outline.filter(({ depth }) => depth > 1);
  const top = Math.min(...below.map(({ depth }) => depth));
  return html`${
    below.length < 2
      ? ''
      : html`<nav aria-labelledby="ui.outline"><details><summary><h2 id="ui.outline">On this page</h2></summary>
<ul class="outline">${below.map(
          ({ depth, text, id }) =>
            html`<li class="depth-${Math.min(depth - top, 3)}"><a href="#${encodeURIComponent(id)}">${text}</a></li>`,
        )}</ul></details></nav>`
  }${
    page.tags.length === 0
      ? ''
      : html`<h2>Tags</h2><ul class="tags">${page.tags.map(
          (tag) => html`<li><a href="${viewAddress(wiki, 'tags', { tag })}">${tag}</a></li>`,
        )}</ul>`
  }${tools.isStatic ? '' : waysOn(tools, wiki, page.path, now)}`;
}

function waysOn(tools: ViewTools, wiki: string, path: string, now: string | null): Html {
  return html`<h2>More</h2><ul class="ways">${now === null ? '' : waysToChange(tools, wiki, now)}<li><a href="${pageAddress(wiki, now ?? path, { view: 'history' })}">History</a></li>
${
  now === null
    ? ''
    : html`<li><a href="${pageAddress(wiki, now, { view: 'blame' })}">Who wrote it</a></li>
<li><a href="${viewAddress(wiki, 'graph', { around: now })}">Graph</a></li>`
}</ul>`;
}

export function lastChange(
  { isStatic }: ViewTools,
  wiki: string,
  { path, last_change: change }: Page,
): Html | '' {
  if (change === null) return '';
  const { date, message, commit } = change;
  return html`<p class="last-change">Changed ${isStatic ? showTimeAnywhere(date) : showTime(date)} by ${showAuthor(change)}: “<bdi>${firstLine(message)}</bdi>”${
    isStatic
      ? ''
      : html`\n<a href="${pageAddress(wiki, path, { view: 'diff', to: commit })}">See the change</a>`
  }</p>`;
}

export function attachments(wiki: string, { links }: Page, at?: string): Html | '' {
  const files = [...new Set(links.flatMap(({ file }) => file ?? []))];
  if (files.length === 0) return '';
  return html`<section aria-labelledby="ui.files"><h2 id="ui.files">Attachments</h2>
<ul>${files.map((file) => html`<li><a href="${fileAddress(wiki, file, at)}">${file}</a></li>`)}</ul></section>`;
}

/** The lines that link here, below the page that holds them. */
export function backlinks(wiki: string, { linked_from: lines, linked_from_total: total }: Page): Html | '' {
  if (lines.length === 0) return '';
  const byPage = Map.groupBy(lines, ({ path }) => path);
  return html`<section aria-labelledby="ui.backlinks"><h2 id="ui.backlinks">Linked from</h2>
<ul class="backlinks">${[...byPage].map(
    ([path, found]) => html`<li><a href="${pageAddress(wiki, path)}">${path}</a>
${found.map(({ text }) => html`<p class="line">${text}</p>`)}</li>
`,
  )}</ul>${total > lines.length ? html`<p>The first ${lines.length} of ${total} links are shown.</p>` : ''}</section>`;
}
