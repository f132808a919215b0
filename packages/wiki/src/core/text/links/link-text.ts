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
  const before = page.slice(Math.max(0, start - MAX_CELLS), start);
  const after = page.slice(end, end + MAX_CELLS);
  const around = before.slice(before.lastIndexOf('\n') + 1) + after.split('\n', 1)[0];
  const isInTable = around.replace(/\[\[[^[\]\r\n]*\]\]/g, '').includes('|');
  return isInTable ? '\\|' : '|';
}

/**
 * The number of characters on each side of a link in which table bars are searched: a line may have two
 * million.
 */
const MAX_CELLS = 5_000;
