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
