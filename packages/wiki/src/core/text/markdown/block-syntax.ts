import type { LineCursor } from './line-cursor.ts';

/** A block whose lines are not Markdown, and the mark that ends it. */
export type RawBlock = { kind: 'fence'; mark: string; length: number } | { kind: 'html'; end: RegExp };

/** The mark of a list item; captures the number of an ordered one. */
export const listMark = /^(?:[*+-]|(\d{1,9})[.)])(?=[ \t]|$)/;
/** `[^label]:` before the text of a footnote. */
export const footnoteMark = /^\[\^(?:[^\s[\]\\]|\\\S){1,999}\]:/;
export const thematicBreak = /^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;

/** A fence, or HTML whose text is not Markdown and that ends on a later line; see isHtmlLine. */
export function rawBlock(rest: string): RawBlock | null {
  const fence = /^(?:(`{3,})[^`]*$|(~{3,}))/.exec(rest);
  const marks = fence?.[1] ?? fence?.[2];
  if (marks !== undefined) return { kind: 'fence', mark: marks.charAt(0), length: marks.length };
  const html = RAW_HTML.exec(rest)?.[0];
  if (html === undefined) return null;
  const end = html === '<!--' ? /-->/ : /<\/(?:pre|script|style|textarea)>/i;
  return end.test(rest) ? null : { kind: 'html', end };
}

/**
 * True if the line is a block by itself: a comment, or code in HTML, that ends on it. The inline scanner finds
 * what counts in it.
 */
export function isHtmlLine(rest: string): boolean {
  return RAW_HTML.test(rest) && rawBlock(rest) === null;
}

const RAW_HTML = /^<(?:!--|(?:pre|script|style|textarea)(?=[\s>]|$))/i;

/** True if the line at the cursor is the last of the block. */
export function endsRaw(raw: RawBlock, cursor: LineCursor): boolean {
  if (raw.kind === 'html') return raw.end.test(cursor.rest);
  const marks = cursor.indent > 3 ? undefined : /^(`{3,}|~{3,})[ \t]*$/.exec(cursor.rest)?.[1];
  return marks?.startsWith(raw.mark) === true && marks.length >= raw.length;
}

/** The second line of a table. */
export function isDelimiterRow(rest: string): boolean {
  if (!rest.includes('|') || !rest.includes('-')) return false;
  const cells = rest
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|');
  return cells.every((cell) => /^:?-+:?$/.test(cell.trim()));
}

/** The title of `## Title ##` is `Title`. */
export function withoutClosingMarks(heading: string): string {
  const text = heading.trim();
  let end = text.length;
  while (end > 0 && text[end - 1] === '#') end -= 1;
  const before = text[end - 1];
  return before === undefined || before === ' ' || before === '\t' ? text.slice(0, end).trim() : text;
}

/**
 * True if the line is HTML by itself, or begins HTML that goes on to the next blank line (types 6 and 7 of
 * CommonMark). A tag whose name is unknown must be alone on its line, and interrupts no paragraph.
 */
export function startsHtml(rest: string, inParagraph: boolean): boolean {
  if (!rest.startsWith('<')) return false;
  if (HTML_BLOCK.test(rest) || isHtmlLine(rest)) return true;
  return !inParagraph && LONE_TAG.test(rest);
}

const HTML_BLOCK =
  /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h1|h2|h3|h4|h5|h6|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?=[ \t>]|\/>|$)/i;
const LONE_TAG =
  /^<(?:\/[a-z][a-z\d-]*[ \t]*|[a-z][a-z\d-]*(?:[ \t]+[a-z_:][\w.:-]*(?:[ \t]*=[ \t]*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*[ \t]*\/?)>[ \t]*$/i;

/** From A to Z and from a to z. */
export function isLetter(unit: number): boolean {
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
