import { limits } from '../../contract/limits.ts';
import type { Input, Output } from '../../contract/operations.ts';
import { inTurns } from '../../scheduling/in-turns.ts';
import type { Snapshot, TreeEntry } from '../ports.ts';
import { countThatFits, serializedLength } from '../reply-budget.ts';
import { readFrontmatter } from '../text/frontmatter/frontmatter.ts';
import type { Heading, Span } from '../text/markdown/markdown.ts';
import { blockSteps, type MarkdownBlocks } from '../text/markdown/markdown-blocks.ts';
import { titleOf } from '../text/markdown/page-facts.ts';
import { countLines, type ReadWindow, readWindow } from '../text/read-window.ts';
import { decodeText } from '../text/text-encoding.ts';
import { pageNotFound } from './find-page.ts';
import { requireAnchor, requireSection } from './sections.ts';

/** The requested part of a page. */
export type PageView = Pick<
  Input<'read_page'>,
  'heading' | 'mode' | 'start_line' | 'start_char' | 'max_lines'
> & {
  /** The anchor of the link that led to the page. `heading` takes precedence. */
  anchor?: string | undefined;
  /** Sentences about the page that the caller must not miss. */
  notices?: readonly string[] | undefined;
};

type Page = Output<'read_page'>;

/**
 * A page as read_page returns it, in at most `budget` characters of JSON. Throws if the heading does not
 * exist.
 */
export async function viewPage(
  snapshot: Snapshot,
  path: string,
  entry: TreeEntry,
  view: PageView,
  budget: number = limits.replyCharacters,
): Promise<Page> {
  if (snapshot.commit === null) throw pageNotFound(path);
  const { text, valid } = decodeText(await snapshot.blob(entry.oid));
  const blocks = await inTurns(blockSteps(text));
  const { data, problem } = readFrontmatter(text, blocks.frontmatter);
  const notes: string[] = [...(view.notices ?? [])];
  if (!valid)
    notes.push('The page is not UTF-8: what cannot be read is shown as \uFFFD, and edits are refused.');
  if (problem)
    notes.push(`The frontmatter is no valid YAML (line ${problem.line}: ${JSON.stringify(problem.reason)}).`);

  const section = partOf(path, entry, text, blocks, view);
  const outlined =
    section === undefined
      ? blocks.headings
      : blocks.headings.filter(({ start }) => start >= section.start && start < section.end);
  const page: Page = {
    path,
    title: titleOf(path, data, blocks.headings),
    version: entry.oid,
    commit: snapshot.commit,
    content: '',
    frontmatter: fitFrontmatter(data, Math.floor(budget / 5), notes),
    outline: view.mode === 'metadata' ? [] : fitOutline(outlined, Math.floor(budget / 5), notes),
    total_lines: countLines(text),
    start_line: view.start_line,
    next_start_line: null,
    next_start_char: null,
    truncated: false,
    note: null,
  };
  if (view.mode !== 'content') return { ...page, note: noteOf(notes) };

  const window = readWindow(text, {
    startLine: view.start_line,
    startChar: view.start_char,
    maxLines: view.max_lines,
    maxSerialized: Math.max(1, budget - serializedLength({ ...page, note: noteOf(notes) }) - roomForNextCall),
    range: section,
  });
  if (window.truncated) notes.push(describeNextCall(window));
  const lastLine = section === undefined ? page.total_lines : countLines(text.slice(0, section.end));
  if (view.start_line > Math.max(1, lastLine)) notes.push(describeEnd(section, lastLine));
  return {
    ...page,
    content: window.content,
    start_line: window.startLine,
    next_start_line: window.nextStartLine,
    next_start_char: window.nextStartChar,
    truncated: window.truncated,
    note: noteOf(notes),
  };
}

function partOf(
  path: string,
  entry: TreeEntry,
  text: string,
  blocks: MarkdownBlocks,
  { heading, anchor }: PageView,
): Span | undefined {
  if (heading !== undefined) return requireSection(path, entry, text, blocks.headings, heading);
  return anchor === undefined ? undefined : requireAnchor(path, entry, text, blocks, anchor);
}

/** Room for the numbers of the next call and the note that names it. */
const roomForNextCall = 300;

function describeEnd(section: Span | undefined, lastLine: number): string {
  if (section !== undefined) return `The section ends at line ${lastLine}.`;
  return lastLine === 0 ? 'The page is empty.' : `The page ends at line ${lastLine}.`;
}

function describeNextCall(window: ReadWindow): string {
  const character = window.nextStartChar ? ` and start_char ${window.nextStartChar}` : '';
  return `This is a part of the page. For the next one call read_page again with start_line ${window.nextStartLine}${character}.`;
}

function fitFrontmatter(
  data: Record<string, unknown>,
  budget: number,
  notes: string[],
): Record<string, unknown> {
  if (serializedLength(data) <= budget) return data;
  notes.push('The frontmatter is too long to be shown apart: read it in the content.');
  return {};
}

function fitOutline(headings: readonly Heading[], budget: number, notes: string[]): Page['outline'] {
  const outline = headings
    .slice(0, MAX_OUTLINED)
    .map(({ level, text, line }) => ({ level, text: text.slice(0, 200), line }));
  const fits = countThatFits(outline, limits.replyCharacters - budget);
  if (fits < headings.length)
    notes.push(`The outline shows the first ${fits} of ${headings.length} headings.`);
  return outline.slice(0, fits);
}

/** More headings never fit into a reply, and a page may have half a million. */
const MAX_OUTLINED = 2_000;

function noteOf(notes: readonly string[]): string | null {
  return notes.length === 0 ? null : notes.join(' ');
}
