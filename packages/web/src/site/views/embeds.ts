import { idFor } from '@pagetree/wiki/anchor-ids';
import { absenceIn, type Output } from '@pagetree/wiki/contract';
import type { PageLink, RenderContext } from '../../render/page-part.ts';
import { fileAddress, pageAddress } from '../addresses.ts';
import type { ViewTools } from '../view-tools.ts';
import { pathAt } from './path-at.ts';

type Page = NonNullable<Output<'view_page'>['page']>;
type Link = Page['links'][number];

/**
 * A link in the browser. Files are as of the commit `at`, pages as they are now. One that leads nowhere leads to the form
 * that makes its page, if a person may make it.
 */
export function pageLink(tools: ViewTools, wiki: string, link: Link, at?: string): PageLink {
  const { written, page, file, anchor, missing, size } = link;
  if (file !== null) return { written, href: fileAddress(wiki, file, at), size };
  if (page === null && at === undefined && missing !== undefined && tools.mayChange(wiki, missing)) {
    return { written, href: pageAddress(wiki, missing, { view: 'edit' }), isMissing: true };
  }
  if (page === null) return { written, href: null };
  const fragment = anchor === null ? '' : `#${encodeURIComponent(idFor(anchor))}`;
  return { written, href: pageAddress(wiki, page) + fragment };
}

/**
 * Finds the content of embeds: now, or as of the commit `at`. `from` is the page that embeds, which may itself be
 * embedded.
 */
export function embedder(
  tools: ViewTools,
  wiki: string,
  page: Pick<Page, 'path' | 'links'>,
  at?: string,
): RenderContext['embed'] {
  const linksOf = new Map<string, readonly Link[]>([[page.path, page.links]]);
  return async (written, from) => {
    const link = linksOf.get(from)?.find((each) => each.written === written);
    // Links lead where they lead today. A page that is gone since may have been there then.
    const today = link?.page ?? (at === undefined ? undefined : link?.missing);
    if (link === undefined || today === undefined) return null;
    const found = await contentOf(tools, wiki, { path: today, anchor: link.anchor ?? undefined, at });
    if (found === null) return null;
    const { path, content, links } = found;
    linksOf.set(path, links);
    const href = pageAddress(wiki, today);
    return { path, href, markdown: content, links: links.map((each) => pageLink(tools, wiki, each, at)) };
  };
}

/** Null if there is no such page or part. Any other failure fails the page: it may pass, and the page is kept. */
async function contentOf(
  tools: ViewTools,
  wiki: string,
  { path: today, anchor, at }: { path: string; anchor: string | undefined; at: string | undefined },
): Promise<Page | null> {
  try {
    const path = at === undefined ? today : await pathAt(tools, wiki, today, at);
    return (await tools.ask('view_page', { wiki, path, anchor, at })).page;
  } catch (error) {
    if (absenceIn(error) !== null) return null;
    throw error;
  }
}
