import { InlineScanner } from './inline-scanner.ts';
import { lineCounter } from './lines.ts';
import type { LinkTarget } from './link-target.ts';
import type { MarkdownBlocks, Span } from './markdown-blocks.ts';

export interface Link extends Span, LinkTarget {
  /** `[[wiki]]`, `[inline](x)`, or the `[definition]: x` that reference-style links share. */
  kind: 'wiki' | 'inline' | 'definition';
  /** Shown in place, as an image or a page within the page: `![[x]]`, `![](x)`. */
  embed: boolean;
  /** The text shown, as written; null where a wikilink shows its target. */
  alias: string | null;
  /** Where target and anchor are written, without brackets. */
  destination: Span;
  /** The destination stands between `<` and `>`. */
  angle: boolean;
  /** 1-based. */
  line: number;
}

export interface Tag extends Span {
  /** Without `#`. */
  name: string;
}

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
