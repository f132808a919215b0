import type { Output } from '@pagetree/wiki/contract';
import { html } from 'hono/html';
import { pageAddress } from '../../addresses.ts';
import type { Html } from '../../layout.ts';

type Plan = Pick<
  Output<'move_page'>,
  'updated_pages' | 'updated_total' | 'retargeted' | 'retargeted_total' | 'links_elsewhere'
>;

/** What a change that takes links along does to them, from a dry run. */
export function rewrittenLinks(wiki: string, plan: Plan): Html {
  const { updated_pages: pages, updated_total: total, retargeted = [] } = plan;
  return html`${
    total === 0
      ? html`<p>No other page has a link that changes.</p>`
      : html`<h3>Pages whose links to it are rewritten</h3>
<ul>${pages.map((each) => html`<li><a href="${pageAddress(wiki, each)}">${each}</a></li>`)}</ul>${andMore(total - pages.length)}`
  }
${
  retargeted.length === 0
    ? ''
    : html`<h3>Links that will lead elsewhere</h3>
<ul>${retargeted.map((each) => html`<li><code>${each.link}</code> on <a href="${pageAddress(wiki, each.page)}">${each.page}</a>, to ${each.new_target ?? 'nowhere'}</li>`)}</ul>${andMore((plan.retargeted_total ?? 0) - retargeted.length)}`
}
${plan.links_elsewhere === undefined ? '' : html`<p class="notice">${plan.links_elsewhere}</p>`}`;
}

export function andMore(count: number): Html | '' {
  return count > 0 ? html`<p>And ${count} more.</p>` : '';
}
