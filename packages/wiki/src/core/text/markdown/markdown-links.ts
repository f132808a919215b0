import type { Document } from 'yaml';
import { atOnce, type Steps } from '../../../scheduling/in-turns.ts';
import { linksInFrontmatter } from '../frontmatter/frontmatter-links.ts';
import { lineCounter } from '../lines.ts';
import { InlineScanner } from './inline-scanner.ts';
import type { Link, Tag } from './markdown.ts';
import { blockSteps, type MarkdownBlocks } from './markdown-blocks.ts';

export interface InlineMarkdown {
  /** The links that lead into the wiki, in the order in which they begin. */
  links: Link[];
  /** The total number, including those after the last one that counts. */
  linkCount: number;
  tags: Tag[];
}

/**
 * The number of links of a page that count; later ones are text. Each costs time in every answer about links.
 */
export const MAX_LINKS = 10_000;

/**
 * Links and tags in the prose of a page: none in code, comments or HTML tags. Includes links in its
 * frontmatter. `yaml` is the document of the frontmatter, for callers that have it (null if it cannot be
 * read).
 */
export function scanInline(text: string, blocks: MarkdownBlocks, yaml?: Document | null): InlineMarkdown {
  return atOnce(inlineSteps(text, blocks, yaml));
}

/** The same in steps, for a page of any size, which takes up to half a second. */
export function* inlineSteps(
  text: string,
  { frontmatter, prose }: MarkdownBlocks,
  yaml?: Document | null,
): Steps<InlineMarkdown> {
  const scanner = new InlineScanner(text);
  yield* scanner.scan(prose);
  const found = [...linksInFrontmatter(text, frontmatter, yaml), ...scanner.links];
  yield;
  const all = found.sort((a, b) => a.start - b.start);
  const links = all.slice(0, MAX_LINKS);
  const lineAt = lineCounter(text);
  const withLines = links.map((link) => ({ ...link, line: lineAt(link.start) }));
  return { links: withLines, linkCount: all.length, tags: scanner.tags };
}

/** The links of a page that count. */
export function* linkSteps(text: string): Steps<Link[]> {
  const { links } = yield* inlineSteps(text, yield* blockSteps(text));
  return links;
}
