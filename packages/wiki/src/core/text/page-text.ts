import { idFor } from './anchor-ids.ts';
import { destinationOf, textOfLink } from './links/link-text.ts';
import { anchorFinder, type BlockId, blockIds, scanIds, slugOf } from './markdown/anchors.ts';
import type { Heading, Link, Span } from './markdown/markdown.ts';
import { scanBlocks } from './markdown/markdown-blocks.ts';
import { scanInline } from './markdown/markdown-links.ts';
import { MAX_HEADINGS_FOUND, plainText } from './markdown/outline.ts';

/**
 * The structure that the wiki finds in the text of a page, for a program that displays it. Offsets refer to
 * the whole text.
 */
export interface PageText {
  /** The start of the body, after the frontmatter. */
  bodyStart: number;
  /** The headings of the page itself. A heading in a quote or a list starts no section. */
  headings: PageHeading[];
  /** The links of the body, in the order in which they begin. */
  links: PageLinkText[];
  blocks: BlockId[];
  /** The spans of inline Markdown. */
  prose: Span[];
  /** Fenced code, comments and the like: whole lines. */
  raws: Span[];
  /**
   * The id of the place in this page that an anchor names; empty for the whole page, null if there is none.
   */
  idOf(anchor: string, kind: Link['kind']): string | null;
}

export interface PageHeading extends Pick<Heading, 'level' | 'line' | 'start'> {
  /** As a reader sees it. */
  text: string;
  /** Unique in the page. It is the anchor that finds this heading, if there is one. */
  id: string;
}

export interface PageLinkText extends Pick<Link, 'kind' | 'embed' | 'target' | 'anchor' | 'alias'>, Span {
  /** The whole link, as operations name it. */
  written: string;
  /** Target and anchor, as written. */
  destination: string;
}

export function readPageText(text: string): PageText {
  const blocks = scanBlocks(text);
  const headings = blocks.headings.slice(0, MAX_HEADINGS_FOUND);
  const ids = blockIds(text, blocks);
  const find = anchorFinder({ headings, ...scanIds(text, blocks) });
  const named = withIds(headings, find);
  const bodyStart = blocks.frontmatter?.end ?? 0;
  return {
    bodyStart,
    headings: named,
    links: scanInline(text, blocks).links.flatMap((link) =>
      link.property === null ? linkText(link, text) : [],
    ),
    blocks: ids,
    prose: blocks.prose,
    raws: blocks.raws,
    idOf(anchor, kind) {
      const found = find(anchor, kind);
      if (found === null) return null;
      if (found.kind === 'heading') return named[found.index]?.id ?? null;
      return found.kind === 'page' ? '' : idFor(anchor);
    },
  };
}

function linkText(link: Link, text: string): PageLinkText {
  const { kind, embed, target, anchor, alias, start, end } = link;
  const written = { written: textOfLink(link, text), destination: destinationOf(link, text) };
  return { kind, embed, target, anchor, alias, start, end, ...written };
}

/** The first heading with a text gets its slug as id, later ones the slug and a number, as on GitHub. */
function withIds(
  headings: readonly Heading[],
  find: (anchor: string, kind: Link['kind']) => ReturnType<ReturnType<typeof anchorFinder>>,
): PageHeading[] {
  const counts = new Map<string, number>();
  return headings.map(({ level, line, start, text }, index) => {
    const shown = plainText(withoutMarks(text));
    const slug = slugOf(shown);
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    const wanted = count === 0 ? slug : `${slug}-${count}`;
    const found = slug === '' ? null : find(wanted, 'inline');
    const isOwn = found?.kind === 'heading' && found.index === index;
    // No slug contains a full stop, so no other heading has this id.
    return { level, line, start, text: shown, id: isOwn ? wanted : `${wanted}.${index}` };
  });
}

/** The heading without its `{#id}` or `^block`, which no reader wants to see. */
function withoutMarks(heading: string): string {
  return heading.slice(0, 1_000).replace(/(?:^|\s)(?:\{#[^\s{}]+\}|\^[A-Za-z0-9-]+)$/, '');
}
