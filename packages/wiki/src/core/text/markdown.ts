/** What a page of Markdown is made of, as far as a wiki looks into it. */

/** Offsets in the text, the end exclusive. */
export interface Span {
  start: number;
  end: number;
}

export interface Heading {
  level: number;
  /** As written, without its marks. */
  text: string;
  /** 1-based. */
  line: number;
  /** Of the heading's line. */
  start: number;
  /** Where its content begins: after the heading's line, or the line under it. */
  bodyStart: number;
}

export interface LinkTarget {
  /** Decoded, without the anchor; empty for a place in the same page. */
  target: string;
  /** Decoded, what follows the first `#`; null where there is none. */
  anchor: string | null;
}

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
