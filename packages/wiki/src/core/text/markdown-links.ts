import { InlineScanner } from './inline-scanner.ts';
import { lineCounter } from './lines.ts';
import type { Link, Tag } from './markdown.ts';
import type { MarkdownBlocks } from './markdown-blocks.ts';

export interface InlineMarkdown {
  /** Those that lead into the wiki, in the order in which they begin. */
  links: Link[];
  tags: Tag[];
}

/** Links and tags in the prose of a page: none in code, comments or HTML tags. */
export function scanInline(text: string, { prose }: MarkdownBlocks): InlineMarkdown {
  const scanner = new InlineScanner(text);
  for (const span of prose) scanner.scan(span);
  const links = scanner.links.sort((a, b) => a.start - b.start);
  const lineAt = lineCounter(text);
  const withLines = links.map((link) => ({ ...link, line: lineAt(link.start) }));
  return { links: withLines, tags: scanner.tags };
}
