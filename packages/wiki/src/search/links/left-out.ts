import { limits } from '../../contract/limits.ts';
import type { UnreadPart } from '../../core/index-port.ts';
import { MAX_LINKS } from '../../core/text/markdown/markdown-links.ts';
import { MAX_TAGS } from '../../core/text/markdown/page-facts.ts';

type LeftOut = Pick<UnreadPart, 'linksLeftOut' | 'tagsLeftOut' | 'bytesLeftOut'>;

/** The part of a page with so many links, tags and bytes that counts as text alone. */
export function leftOut(links: number, tags: number, bytes: number): LeftOut {
  return {
    linksLeftOut: Math.max(0, links - MAX_LINKS),
    tagsLeftOut: Math.max(0, tags - MAX_TAGS),
    bytesLeftOut: Math.max(0, bytes - limits.pageBytes),
  };
}

/** True if the page may have links that the index does not know. */
export function leavesLinksOut({
  linksLeftOut,
  bytesLeftOut,
}: Pick<UnreadPart, 'linksLeftOut' | 'bytesLeftOut'>): boolean {
  return linksLeftOut > 0 || bytesLeftOut > 0;
}
