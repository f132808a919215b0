import type { PageLinkText, PageText } from '@pagetree/wiki/page-text';

/** A link of a page as the wiki names it, with its address in the browser; null if it leads nowhere. */
export interface PageLink {
  written: string;
  href: string | null;
  /** The size of an image, if the wiki knows it. */
  size?: ImageSize | undefined;
  /** True if the address makes the page that is missing. */
  isMissing?: true;
}

/** In pixels. */
export interface ImageSize {
  width: number;
  height: number;
}

export interface RenderedPage {
  html: string;
  outline: { depth: number; text: string; id: string }[];
  uses: { math: boolean; diagrams: boolean };
  /** True if it took too long or too much memory, which may be due to other work of the machine. */
  isGivenUp?: true;
}

export interface RenderContext {
  path: string;
  links: readonly PageLink[];
  /** The content that a link embeds; null if there is none. `written` is on the page `from`. */
  embed(written: string, from: string): Promise<EmbeddedPage | null>;
}

/** A page, or the part of one, that another page embeds. */
export interface EmbeddedPage {
  path: string;
  /** The address of the page. */
  href: string;
  markdown: string;
  links: readonly PageLink[];
}

/** The page that is rendered, or a part of another page within it. */
export interface PagePart {
  text: string;
  page: PageText;
  path: string;
  /** The address of a page that is embedded; null for the page itself. */
  href: string | null;
  /** The browser addresses of links, by their written form. */
  addresses: ReadonlyMap<string, string | null>;
  /** The sizes of images that the wiki knows, in the same way. */
  sizes: ReadonlyMap<string, ImageSize>;
  /** The written form of links whose address makes the page that is missing. */
  missing: ReadonlySet<string>;
  /** 0 for the page itself. An embedded part has no ids of headings and blocks: they would be there twice. */
  depth: number;
}

export function pagePart(
  text: string,
  page: PageText,
  { path, links, href = null }: { path: string; links: readonly PageLink[]; href?: string | null },
  depth: number,
): PagePart {
  return {
    text,
    page,
    path,
    href,
    depth,
    addresses: new Map(links.map(({ written, href }) => [written, href])),
    sizes: new Map(links.flatMap(({ written, size }) => (size === undefined ? [] : [[written, size]]))),
    missing: new Set(links.flatMap(({ written, isMissing }) => (isMissing ? [written] : []))),
  };
}

/** The browser address of a link; null if it leads nowhere. */
export function addressOfLink(link: PageLinkText, part: PagePart): string | null {
  if (link.target.trim() !== '') return part.addresses.get(link.written) ?? null;
  if (part.href !== null) return part.href + fragment(link.anchor ?? '', part, link.kind);
  const id = part.page.idOf(link.anchor ?? '', link.kind);
  return id === null ? null : `#${encodeURIComponent(id)}`;
}

function fragment(anchor: string, { page }: PagePart, kind: PageLinkText['kind']): string {
  const id = page.idOf(anchor, kind) ?? '';
  return id === '' ? '' : `#${encodeURIComponent(id)}`;
}
