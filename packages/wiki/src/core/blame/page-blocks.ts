import type { Span } from '../text/markdown/markdown.ts';
import type { MarkdownBlocks } from '../text/markdown/markdown-blocks.ts';

/** A block of consecutive lines, 0-based, end exclusive. */
export type LineBlock = Span;

/**
 * The blocks of a page as a reader sees them: frontmatter, headings, code, and the text between blank lines.
 * `lines` include their line feeds.
 */
export function pageBlocks(
  lines: readonly string[],
  { frontmatter, headings, raws }: Pick<MarkdownBlocks, 'frontmatter' | 'headings' | 'raws'>,
): LineBlock[] {
  const matter = frontmatter === null ? [] : [{ start: 0, end: frontmatter.end }];
  const whole = [...matter, ...raws];
  const alone = [...matter, ...headings.map(({ start, bodyStart }) => ({ start, end: bodyStart })), ...raws];
  const edges = new Set(alone.flatMap(({ start, end }) => [start, end]));
  const blocks: LineBlock[] = [];
  let start = -1;
  let offset = 0;
  let nextWhole = 0;
  for (const [at, line] of lines.entries()) {
    while ((whole[nextWhole]?.end ?? Number.POSITIVE_INFINITY) <= offset) nextWhole += 1;
    const isInside = (whole[nextWhole]?.start ?? Number.POSITIVE_INFINITY) <= offset;
    const isBlank = line.trim() === '' && !isInside;
    if (start !== -1 && (isBlank || edges.has(offset))) {
      blocks.push({ start, end: at });
      start = -1;
    }
    if (!isBlank && start === -1) start = at;
    offset += line.length;
  }
  return start === -1 ? blocks : [...blocks, { start, end: lines.length }];
}
