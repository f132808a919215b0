import { anchorFinder, findBlock, scanIds } from '../markdown/anchors.ts';
import type { Link, Span } from '../markdown/markdown.ts';
import { type MarkdownBlocks, scanBlocks } from '../markdown/markdown-blocks.ts';
import { scanInline } from '../markdown/markdown-links.ts';
import { MAX_HEADINGS_FOUND } from '../markdown/outline.ts';
import type { LinkAddress } from './link-names.ts';
import { parseDestination, parseWikiTarget } from './link-target.ts';

/** A link that a caller copied from a page. */
export interface WrittenLink {
  /** True if it has brackets, so that it can only be a link. */
  isWhole: boolean;
  /**
   * Its possible meanings, in the order to try: without brackets, a wikilink and a destination look the same.
   */
  addresses: LinkAddress[];
}

export function parseWrittenLink(written: string): WrittenLink {
  const text = written.trim();
  const { links } = scanInline(text, scanBlocks(text));
  const whole = links.find(({ start, end }) => start === 0 && end === text.length);
  if (whole !== undefined) return { isWhole: true, addresses: [addressOf(whole)] };
  const bar = text.indexOf('|');
  const wiki = parseWikiTarget(bar === -1 ? text : text.slice(0, bar).trim());
  const inline = parseDestination(text);
  return {
    isWhole: false,
    addresses: [
      ...(wiki === null ? [] : [{ kind: 'wiki' as const, ...wiki }]),
      ...(inline === null ? [] : [{ kind: 'inline' as const, ...inline }]),
    ],
  };
}

function addressOf({ kind, target, query, anchor }: Link): LinkAddress {
  return { kind, target, query, anchor };
}

/** The part of a page that an anchor names: a section, or the paragraph of a block. Null if there is none. */
export function anchoredPart(text: string, blocks: MarkdownBlocks, anchor: string): Span | null {
  const headings = blocks.headings.slice(0, MAX_HEADINGS_FOUND);
  const ids = scanIds(text, blocks);
  // A reader wants any existing target, whatever kind of link would name it.
  const found = anchorFinder({ headings, ...ids })(anchor, 'inline');
  if (found === null) return null;
  if (found.kind === 'block') return findBlock(text, blocks, anchor.slice(anchor.lastIndexOf('^') + 1));
  const heading = found.kind === 'heading' ? headings[found.index] : undefined;
  if (heading === undefined) return { start: 0, end: text.length };
  const next = blocks.headings.find(({ start, level }) => start > heading.start && level <= heading.level);
  return { start: heading.start, end: next?.start ?? text.length };
}
