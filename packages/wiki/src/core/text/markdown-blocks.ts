import { BlockScanner } from './block-scanner.ts';
import { type FrontmatterBlock, findFrontmatter } from './frontmatter.ts';
import type { Heading, Span } from './markdown.ts';

/**
 * Our own scanner, in place of a Markdown parser: links are rewritten in place, so what matters is where prose
 * lies in the text, not a tree; no parser knows `[[wikilinks]]` or says how a link was written; and over 10 MB
 * of real pages mdast-util-from-markdown takes 4.8 s where this and the inline scan take 0.3 s. It follows the
 * rules of CommonMark for blocks as far as they decide what is code, a comment or a heading. HTML blocks are
 * prose here, since people write Markdown into them. One pass, linear.
 */
export interface MarkdownBlocks {
  frontmatter: FrontmatterBlock | null;
  /** Those of the page itself; one in a quote or a list divides nothing. */
  headings: Heading[];
  /** Where inline Markdown stands: paragraphs, headings and table rows. Neither code nor comments. */
  prose: Span[];
}

export function scanBlocks(text: string): MarkdownBlocks {
  const frontmatter = findFrontmatter(text);
  const scanner = new BlockScanner(text);
  const bodyStart = frontmatter?.end ?? 0;
  let line = 1;
  for (let start = 0; start < text.length; line += 1) {
    const lineFeed = text.indexOf('\n', start);
    const next = lineFeed === -1 ? text.length : lineFeed + 1;
    if (start >= bodyStart) scanner.addLine(start, endOfLine(text, lineFeed), next, line);
    start = next;
  }
  scanner.finish();
  return { frontmatter, headings: scanner.headings, prose: scanner.prose };
}

function endOfLine(text: string, lineFeed: number): number {
  if (lineFeed === -1) return text.length;
  return text[lineFeed - 1] === '\r' ? lineFeed - 1 : lineFeed;
}
