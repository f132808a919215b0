import { atOnce, type Steps } from '../../../scheduling/in-turns.ts';
import { type FrontmatterBlock, findFrontmatter } from '../frontmatter/frontmatter.ts';
import { BlockScanner } from './block-scanner.ts';
import type { Heading, Prose, Span } from './markdown.ts';

/**
 * Result of our own scanner. It replaces a Markdown parser for these reasons: links are rewritten in place,
 * so we need the positions of prose, not a tree; no parser knows `[[wikilinks]]` or reports how a link was
 * written; and over 10 MB of real pages mdast-util-from-markdown takes 4.8 s, while this and the inline scan
 * take 0.3 s. It follows the block rules of CommonMark as far as they decide what is code, a comment or a
 * heading. The lines of HTML blocks count as prose, since people write links into them, but open no heading and no
 * fence. One pass, linear.
 */
export interface MarkdownBlocks {
  frontmatter: FrontmatterBlock | null;
  /** The headings of the page itself. A heading in a quote or a list starts no section. */
  headings: Heading[];
  /** The spans of inline Markdown: paragraphs, headings and table rows. Neither code nor comments. */
  prose: Prose[];
  /** The prose of all headings, including those in quotes and lists, in order. */
  titles: Span[];
  /** Fenced code, comments, frontmatter in TOML and the like: whole lines, including blank ones. */
  raws: Span[];
}

export function scanBlocks(text: string): MarkdownBlocks {
  return atOnce(blockSteps(text));
}

/** The same in steps, for a page of any size, which takes up to half a second. */
export function* blockSteps(text: string): Steps<MarkdownBlocks> {
  const frontmatter = findFrontmatter(text);
  const scanner = new BlockScanner(text);
  const tomlEnd = endOfToml(text);
  const bodyStart = frontmatter?.end ?? tomlEnd;
  let line = 1;
  let stepEnd = CHARACTERS_AT_ONCE;
  for (let start = 0; start < text.length; line += 1) {
    const lineFeed = text.indexOf('\n', start);
    const next = lineFeed === -1 ? text.length : lineFeed + 1;
    if (start >= bodyStart) scanner.addLine(start, endOfLine(text, lineFeed), next, line);
    start = next;
    if (start < stepEnd) continue;
    yield;
    stepEnd = start + CHARACTERS_AT_ONCE;
  }
  scanner.finish();
  const { headings, prose, titles, raws } = scanner;
  const toml = tomlEnd > 0 ? [{ start: 0, end: tomlEnd }] : [];
  return { frontmatter, headings, prose, titles, raws: [...toml, ...raws] };
}

/**
 * The end of the frontmatter in TOML with which a page of Hugo or Zola may begin; 0 if there is none. It is not
 * interpreted, and no Markdown: `[[resources]]` begins a table there.
 */
function endOfToml(text: string): number {
  const fence = /\+\+\+[ \t]*(?:\r?\n|$)/y;
  if (!fence.test(text)) return 0;
  for (let before = text.indexOf('\n+++'); before !== -1; before = text.indexOf('\n+++', before + 1)) {
    fence.lastIndex = before + 1;
    if (fence.test(text)) return fence.lastIndex;
  }
  return 0;
}

function endOfLine(text: string, lineFeed: number): number {
  if (lineFeed === -1) return text.length;
  return text[lineFeed - 1] === '\r' ? lineFeed - 1 : lineFeed;
}

/** Takes some milliseconds if each character is a line. */
const CHARACTERS_AT_ONCE = 10_000;
