import type { PageLinkText, PageText } from '@pagetree/wiki/page-text';

/** A link of a page as the wiki names it, with its address in the browser; null if it leads nowhere. */
export interface PageLink {
  written: string;
  href: string | null;
}

export interface RenderContext {
  path: string;
  links: PageLink[];
  addressOf(path: string): string;
  attachmentAddress(path: string): string;
  /**
   * The page, or the part of one, that a link embeds; null if there is none. `written` is on the page `from`.
   */
  embed(written: string, from: string): Promise<{ path: string; markdown: string; links: PageLink[] } | null>;
}

/** The page that is rendered, or a part of another page within it. */
export interface PagePart {
  text: string;
  page: PageText;
  path: string;
  /** The browser addresses of links, by their written form. */
  addresses: ReadonlyMap<string, string | null>;
  /** 0 for the page itself. An embedded part has no ids of headings and blocks: they would be there twice. */
  depth: number;
}

export function pagePart(
  text: string,
  page: PageText,
  { path, links }: { path: string; links: readonly PageLink[] },
  depth: number,
): PagePart {
  return { text, page, path, depth, addresses: new Map(links.map(({ written, href }) => [written, href])) };
}

/** The browser address of a link; null if it leads nowhere. */
export function addressOfLink(
  link: PageLinkText,
  part: PagePart,
  { addressOf }: RenderContext,
): string | null {
  if (link.target.trim() !== '') return part.addresses.get(link.written) ?? null;
  if (part.depth > 0) return addressOf(part.path) + fragment(link.anchor ?? '', part, link.kind);
  const id = part.page.idOf(link.anchor ?? '', link.kind);
  return id === null ? null : `#${encodeURIComponent(id)}`;
}

function fragment(anchor: string, { page }: PagePart, kind: PageLinkText['kind']): string {
  const id = page.idOf(anchor, kind) ?? '';
  return id === '' ? '' : `#${encodeURIComponent(id)}`;
}
