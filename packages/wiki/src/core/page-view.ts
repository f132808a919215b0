import { limits } from '../contract/limits.ts';
import type { Input, Output } from '../contract/operations.ts';
import { pageNotFound } from './pages.ts';
import type { Snapshot, TreeEntry } from './ports.ts';
import { countThatFits, serializedLength } from './reply-budget.ts';
import { requireSection } from './sections.ts';
import { readFrontmatter } from './text/frontmatter.ts';
import type { Heading } from './text/markdown.ts';
import { scanBlocks } from './text/markdown-blocks.ts';
import type { Section } from './text/outline.ts';
import { titleOf } from './text/page-facts.ts';
import { countLines, type ReadWindow, readWindow } from './text/read-window.ts';
import { decodeText } from './text/text-encoding.ts';

/** Which part of a page is asked for. */
export type PageView = Pick<
  Input<'read_page'>,
  'heading' | 'mode' | 'start_line' | 'start_char' | 'max_lines'
>;

type Page = Output<'read_page'>;

/** A page as read_page answers, in at most `budget` characters of JSON. Throws for a heading that is not one. */
export async function viewPage(
  snapshot: Snapshot,
  path: string,
  entry: TreeEntry,
  view: PageView,
  budget: number = limits.replyCharacters,
): Promise<Page> {
  if (snapshot.commit === null) throw pageNotFound(path);
  const { text, valid } = decodeText(await snapshot.blob(entry.oid));
  const blocks = scanBlocks(text);
  const { data, problem } = readFrontmatter(text, blocks.frontmatter);
  const notes: string[] = [];
  if (!valid)
    notes.push('The page is not UTF-8: what cannot be read is shown as \uFFFD, and edits are refused.');
  if (problem) notes.push(`The frontmatter is no valid YAML (line ${problem.line}: ${problem.reason}).`);

  const page: Page = {
    path,
    title: titleOf(path, data, blocks.headings),
    version: entry.oid,
    commit: snapshot.commit,
    content: '',
    frontmatter: fitFrontmatter(data, Math.floor(budget / 5), notes),
    outline: view.mode === 'metadata' ? [] : fitOutline(blocks.headings, Math.floor(budget / 5), notes),
    total_lines: countLines(text),
    start_line: view.start_line,
    next_start_line: null,
    next_start_char: null,
    truncated: false,
    note: null,
  };
  if (view.mode !== 'content') return { ...page, note: noteOf(notes) };

  const section =
    view.heading === undefined ? undefined : requireSection(path, entry, text, blocks.headings, view.heading);
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

/** For the numbers of the next call and the note that names it. */
const roomForNextCall = 300;

function describeEnd(section: Section | undefined, lastLine: number): string {
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
  const outline = headings.map(({ level, text, line }) => ({ level, text: text.slice(0, 200), line }));
  const fits = countThatFits(outline, limits.replyCharacters - budget);
  if (fits < outline.length) notes.push(`The outline shows the first ${fits} of ${outline.length} headings.`);
  return outline.slice(0, fits);
}

function noteOf(notes: readonly string[]): string | null {
  return notes.length === 0 ? null : notes.join(' ');
}
