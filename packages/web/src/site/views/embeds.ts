import type { Output } from '@pagetree/wiki/contract';
import { idFor } from '@pagetree/wiki/page-text';
import type { PageLink, RenderContext } from '../../render/page-part.ts';
import { fileAddress, pageAddress } from '../addresses.ts';
import type { ViewTools } from '../view-tools.ts';

type Page = NonNullable<Output<'view_page'>['page']>;
type Link = Page['links'][number];

/**
 * A link in the browser. Files are as of the commit `at`, pages as they are now. One that leads nowhere leads to the form
 * that makes its page, if a person may make it.
 */
export function pageLink(tools: ViewTools, wiki: string, link: Link, at?: string): PageLink {
  const { written, page, file, anchor, missing, size } = link;
  if (file !== null) return { written, href: fileAddress(wiki, file, at), size };
  if (page === null && at === undefined && missing !== undefined && tools.mayChange(missing)) {
    return { written, href: pageAddress(wiki, missing, { view: 'edit' }), isMissing: true };
  }
  if (page === null) return { written, href: null };
  const fragment = anchor === null ? '' : `#${encodeURIComponent(idFor(anchor))}`;
  return { written, href: pageAddress(wiki, page) + fragment };
}

/** Finds the content of embeds: `from` is the page that embeds, which may itself be embedded. */
export function embedder(
  tools: ViewTools,
  wiki: string,
  page: Pick<Page, 'path' | 'links'>,
): RenderContext['embed'] {
  const linksOf = new Map<string, readonly Link[]>([[page.path, page.links]]);
  return async (written, from) => {
    const link = linksOf.get(from)?.find((each) => each.written === written);
    if (link === undefined || link.page === null) return null;
    const anchor = link.anchor ?? undefined;
    // A missing part shows as an embed that leads nowhere.
    const found = await tools.ask('view_page', { wiki, path: link.page, anchor }).catch(() => null);
    if (found === null || found.page === null) return null;
    const { path, content, links } = found.page;
    linksOf.set(path, links);
    const href = pageAddress(wiki, path);
    return { path, href, markdown: content, links: links.map((each) => pageLink(tools, wiki, each)) };
  };
}
