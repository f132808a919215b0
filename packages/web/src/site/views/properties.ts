import type { Output } from '@pagetree/wiki/contract';
import { html } from 'hono/html';
import { foreignAddress } from '../../render/addresses.ts';
import type { PageLink } from '../../render/page-part.ts';
import type { Html } from '../layout.ts';
import type { ViewTools } from '../view-tools.ts';
import { pageLink } from './embeds.ts';

type Page = NonNullable<Output<'view_page'>['page']>;
type Links = ReadonlyMap<string, PageLink>;

/** The frontmatter as a table, with its links. */
export function properties(
  tools: ViewTools,
  wiki: string,
  { frontmatter, links }: Pick<Page, 'frontmatter' | 'links'>,
  at?: string,
): Html | '' {
  const rows = Object.entries(frontmatter);
  if (rows.length === 0) return '';
  const addresses: Links = new Map(links.map((link) => [link.written, pageLink(tools, wiki, link, at)]));
  return html`<section aria-labelledby="ui.properties"><h2 id="ui.properties">Properties</h2>
<table class="properties"><tbody>${rows.map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td>${showValue(value, addresses)}</td></tr>`,
  )}</tbody></table></section>`;
}

function showValue(value: unknown, links: Links): Html | string {
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object' || each === null)) {
    return inARow(value.map((each) => showScalar(each, links)));
  }
  if (typeof value === 'object' && value !== null) return html`<code>${showNested(value, links)}</code>`;
  return value === null || value === undefined ? '' : showScalar(value, links);
}

function showScalar(value: unknown, links: Links): Html {
  return (typeof value === 'string' ? showLink(value, links) : null) ?? html`<bdi>${String(value)}</bdi>`;
}

/** As JSON, with links in place of the strings that are one. */
function showNested(value: unknown, links: Links): Html | string {
  if (Array.isArray(value)) return html`[${inARow(value.map((each) => showNested(each, links)))}]`;
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(
      ([name, each]) => html`${JSON.stringify(name)}: ${showNested(each, links)}`,
    );
    return html`{${inARow(pairs)}}`;
  }
  const link = typeof value === 'string' ? showLink(value, links) : null;
  return link ?? JSON.stringify(value) ?? '';
}

/** A value that is one link, of the wiki or to the web; null for any other. */
function showLink(value: string, links: Links): Html | null {
  const link = links.get(value);
  if (link !== undefined) {
    const [, target = value, text = target] = /^\[\[([^|]*)(?:\|(.*))?\]\]$/s.exec(value) ?? [];
    if (link.href === null) return html`<a class="link-broken">${text}</a>`;
    return html`<a${link.isMissing ? html` class="link-broken"` : ''} href="${link.href}">${text}</a>`;
  }
  const foreign = /^(?:https?:\/\/|mailto:)\S+$/i.test(value) ? foreignAddress(value) : null;
  if (foreign === null) return null;
  return html`<a class="link-foreign" href="${foreign}" rel="nofollow noopener noreferrer">${value}</a>`;
}

function inARow(values: readonly (Html | string)[]): Html {
  return html`${values.map((value, index) => html`${index === 0 ? '' : ', '}${value}`)}`;
}
