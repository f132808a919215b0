import { InlineScanner } from './inline-scanner.ts';
import type { Heading, Prose, Span } from './markdown.ts';

interface Paragraph extends Prose {
  line: number;
  lineStart: number;
}

/**
 * The heading that a line of `=` or `-` makes of the paragraph above it. Its text is without the definitions with which
 * the paragraph begins, and its place with them, as micromark has it. Null if there is nothing else: then the line is text,
 * or a break.
 */
export function underlinedHeading(
  page: string,
  paragraph: Paragraph,
  { level, bodyStart }: Pick<Heading, 'level' | 'bodyStart'>,
): { title: Span; heading: Heading } | null {
  const { end } = paragraph;
  const start = startOf(page, paragraph);
  if (start >= end) return null;
  const lines = page.slice(start, end).split('\n');
  const text = lines.map((part) => part.trim()).join(' ');
  const { line, lineStart } = paragraph;
  return { title: { start, end }, heading: { level, text, line, start: lineStart, bodyStart } };
}

function startOf(page: string, paragraph: Paragraph): number {
  const isLong = paragraph.end - paragraph.start > MAX_LENGTH;
  if (isLong || page[paragraph.start] !== '[') return paragraph.start;
  return new InlineScanner(page).endOfDefinitions(paragraph);
}

/** Longer paragraphs are taken as a whole: to look for definitions in two megabytes takes half a second. */
const MAX_LENGTH = 50_000;
