import type { Span } from './markdown.ts';

/** Characters that may begin or end something other than text. */
export const special = /[\\`<!#[\]]/g;
export const tagSyntax = /#(?:[\p{L}\p{N}\p{M}\p{Extended_Pictographic}_/-]|\u200d)+/uy;

/** `[[x]]` on one line. With `](` inside, it is the end of an inline link instead. */
export const wikilink = /\[\[((?:[^[\]\r\n]|\](?![\](]))+)\]\]/y;

export const htmlTag =
  /<(?:[a-z][a-z0-9+.-]+:[^\s<>]*|\/[a-z][a-z0-9-]*\s*|[a-z][a-z0-9-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?)>/iy;

/** A part of the page, with blanks in the place of marks so that all offsets stay. */
export function blanked(page: string, start: number, end: number, marks: readonly Span[]): string {
  const pieces: string[] = [];
  let done = start;
  for (const mark of marks) {
    pieces.push(page.slice(done, mark.start), ' '.repeat(mark.end - mark.start));
    done = mark.end;
  }
  return pieces.join('') + page.slice(done, end);
}
