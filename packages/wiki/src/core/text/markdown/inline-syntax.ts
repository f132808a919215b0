/** What may begin or end something else than text. */
export const special = /[\\`<!#[\]]/g;
export const tagSyntax = /#(?:[\p{L}\p{N}\p{M}\p{Extended_Pictographic}_/-]|\u200d)+/uy;

/** `[[x]]` on one line. With `](` inside, it is the end of an inline link instead. */
export const wikilink = /\[\[((?:[^[\]\r\n]|\](?![\](]))+)\]\]/y;

export const htmlTag =
  /<(?:[a-z][a-z0-9+.-]+:[^\s<>]*|\/[a-z][a-z0-9-]*\s*|[a-z][a-z0-9-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?)>/iy;
