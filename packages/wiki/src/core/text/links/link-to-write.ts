import type { Link } from '../markdown/markdown.ts';
import type { ResolvedLink } from './link-resolver.ts';

/** One way to write a link. */
export interface LinkForm {
  text: string;
  replaces: 'destination' | 'link';
  /** A whole link of this form, to be parsed as a test. */
  sample: string;
}

export interface LinkToWrite {
  /** The existing link, its written destination, and its former target. */
  link: Link;
  written: string;
  led: ResolvedLink;
  /** The new name of its anchor. */
  anchor: string | null;
  /** The tree path to which it must lead, from the page at the tree path `at`. */
  wanted: string;
  at: string;
  /** The text for a wikilink that has none, and the bar before it. */
  shown: { text: string; bar: string } | null;
}
