import { isDelimiterRow } from '../markdown/block-syntax.ts';
import type { Link } from '../markdown/markdown.ts';

type WrittenLink = Pick<Link, 'start' | 'end' | 'destination' | 'property'>;

/**
 * A whole link as a reader of the page's text sees it: in the frontmatter without the quotes and escapes of
 * YAML.
 */
export function textOfLink(link: WrittenLink, page: string): string {
  return link.property ?? page.slice(link.start, link.end);
}

/** The target and anchor of a link, as written. */
export function destinationOf({ destination, property }: WrittenLink, page: string): string {
  return (property ?? page).slice(destination.start, destination.end);
}

/** The separator between the target of a wikilink and its text. */
export function barAt({ start, end, property }: WrittenLink, page: string): string {
  if (property !== null) return '|';
  const cut = Math.max(0, start - MAX_CELLS);
  const before = page.slice(cut, start);
  const after = page.slice(end, end + MAX_CELLS);
  const around = before.slice(before.lastIndexOf('\n') + 1) + after.split('\n', 1)[0];
  const others = around.replace(/\[\[[^[\]\r\n]*\]\]/g, '');
  const isInTable = /(?<!\\)\|/.test(others) || isTableRow(before, cut > 0);
  return isInTable ? '\\|' : '|';
}

/**
 * True if the last line continues a table above it: a row needs no bars. Also if lines without a blank one among them
 * begin above a text that was cut: an escaped bar does no harm outside of a table.
 */
function isTableRow(before: string, isCut: boolean): boolean {
  const lines = linesFromEnd(before);
  if (BLOCK_START.test(lines.next().value ?? '')) return false;
  for (const line of lines) {
    if (isDelimiterRow(line)) return (lines.next().value ?? '').trim() !== '';
    if (line.trim() === '' || BLOCK_START.test(line)) return false;
  }
  return isCut && before.includes('\n');
}

/** The lines without the marks of quotes, the last one first: a caller stops at the first blank one. */
function* linesFromEnd(text: string): Generator<string, undefined> {
  for (let end = text.length; end > 0; ) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    yield text.slice(start, end).replace(/^(?: {0,3}> ?)+/, '');
    end = start - 1;
  }
}

/** The beginning of a line that ends a table. */
const BLOCK_START = /^ {0,3}(?:#{1,6}(?:\s|$)|[-*+]\s|\d{1,9}[.)]\s|```|~~~)/;

/**
 * The number of characters on each side of a link in which table bars are searched: a line may have two
 * million.
 */
const MAX_CELLS = 5_000;
