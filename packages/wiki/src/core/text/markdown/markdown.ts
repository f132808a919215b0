/** The parts of a Markdown page that a wiki uses. */

/** Offsets in the text, the end exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** A part of a page in which inline Markdown stands. */
export interface Prose extends Span {
  /** What stands before its lines but the first: the marks of the quotes that it lies in. */
  marks?: readonly Span[];
  /** A heading by `#` has no definitions. In HTML there are no labels at all: what is in brackets is text. */
  kind?: 'heading' | 'html';
}

export interface Heading {
  level: number;
  /** As written, without its marks. */
  text: string;
  /** 1-based. */
  line: number;
  /** Offset of the heading's line. */
  start: number;
  /** The start of its content: after the heading's line, or after the line under it. */
  bodyStart: number;
}

export interface LinkTarget {
  /** Decoded, without query and anchor. Empty for a link within the same page. */
  target: string;
  /** Decoded: the query of a Markdown link with its `?`, unless the name holds it; null if there is none. */
  query: string | null;
  /** Decoded: the part after the first `#`; null if there is none. */
  anchor: string | null;
}

export interface Link extends Span, LinkTarget {
  /** `[[wiki]]`, `[inline](x)`, the `[definition]: x` that reference-style links share, or a tag of HTML (`<a href="x">`). */
  kind: 'wiki' | 'inline' | 'definition' | 'html';
  /** Displayed in place, as an image or a page within the page: `![[x]]`, `![](x)`. */
  embed: boolean;
  /** The shown text, as written; null if a wikilink shows its target. */
  alias: string | null;
  /** The span of target and anchor, without brackets: in the text, or in `property`. */
  destination: Span;
  /** The string in the frontmatter that is this link, without YAML's quotes and escapes; null in the body. */
  property: string | null;
  /** True if the destination is written between `<` and `>`. */
  angle: boolean;
  /** 1-based. */
  line: number;
}

export interface Tag extends Span {
  /** Without `#`. */
  name: string;
}

/** The label of a reference-style link or a footnote, in its definition or in a possible use. */
export interface Label extends Span {
  text: string;
  form: 'definition' | 'full' | 'collapsed' | 'shortcut';
  /** The destination as written, but for a `<` before it, with its title; null for a use. */
  destination: string | null;
  /** True for a use that is a link, as a definition of the label is known. */
  isLink: boolean;
  /** The part between the brackets that such a link shows, or would show. */
  shown: Span & { isWithinBrackets: boolean };
}
