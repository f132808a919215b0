import type { Steps } from '../../scheduling/in-turns.ts';
import { pageBlocks } from '../blame/page-blocks.ts';
import type { Heading } from '../text/markdown/markdown.ts';
import { blockSteps } from '../text/markdown/markdown-blocks.ts';
import { plainText } from '../text/markdown/outline.ts';

/** A part of a page that can be read by itself. */
export interface Paragraph {
  /** The headings above it, as read_page takes them: `One/Sub`. Empty above the first heading. */
  heading: string;
  /** 1-based. */
  line: number;
  /** Whole lines, without the line feed at the end. */
  text: string;
}

/**
 * The first `most` paragraphs, lists, tables and code blocks of a page, in their order, without frontmatter and headings.
 * A long list or table comes in several parts, never split within an item or a row.
 */
export function* paragraphSteps(text: string, most: number): Steps<Paragraph[]> {
  const blocks = yield* blockSteps(text);
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  yield;
  const offsets = offsetsOf(lines);
  const bodyStart = blocks.frontmatter?.end ?? 0;
  const headingAt = new Map(blocks.headings.map((heading) => [heading.start, heading]));
  const above: { level: number; text: string }[] = [];
  const paragraphs: Paragraph[] = [];
  for (const [place, block] of pageBlocks(lines, blocks).entries()) {
    if (place % BLOCKS_AT_ONCE === BLOCKS_AT_ONCE - 1) yield;
    if (paragraphs.length >= most) break;
    const start = offsets[block.start] ?? 0;
    const heading = headingAt.get(start);
    if (heading !== undefined) enter(above, heading);
    if (heading !== undefined || start < bodyStart) continue;
    const under = above.map((each) => each.text).join('/');
    for (const part of partsOf(lines, block)) {
      const shown = lines.slice(part.start, part.end).join('').trimEnd();
      if (shown !== '') paragraphs.push({ heading: under, line: part.start + 1, text: shown });
    }
  }
  return paragraphs.slice(0, most);
}

/** Takes some milliseconds. */
const BLOCKS_AT_ONCE = 1_000;

function offsetsOf(lines: readonly string[]): number[] {
  let offset = 0;
  return lines.map((line) => {
    const start = offset;
    offset += line.length;
    return start;
  });
}

function enter(above: { level: number; text: string }[], { level, text }: Heading): void {
  while ((above.at(-1)?.level ?? 0) >= level) above.pop();
  above.push({ level, text: plainText(text).slice(0, MAX_HEADING).toWellFormed() });
}

/** Longer headings are cut: they would take the place of what is asked for. */
const MAX_HEADING = 200;

interface Lines {
  start: number;
  end: number;
}

/** Splits a long list or table before items and rows. The lines of prose and code stay together. */
function partsOf(lines: readonly string[], { start, end }: Lines): Lines[] {
  const parts: Lines[] = [];
  let [from, characters] = [start, 0];
  for (let at = start; at < end; at += 1) {
    const line = lines[at] ?? '';
    if (at > from && characters + line.length > MAX_PART && ITEM.test(line)) {
      parts.push({ start: from, end: at });
      [from, characters] = [at, 0];
    }
    characters += line.length;
  }
  return [...parts, { start: from, end }];
}

const MAX_PART = 1_200;
const ITEM = /^(?:[-*+]|\d{1,9}[.)]) |^ {0,3}\|/;
