import { scanBlocks } from './markdown-blocks.ts';
import { plainText, type Section } from './outline.ts';
import { lineEndingOf, withLineEnding } from './text-encoding.ts';

export interface SectionEdit {
  operation: 'append' | 'prepend' | 'replace' | 'insert_before' | 'insert_after';
  content: string;
  /** Whether what is replaced, or added to at its end, includes the subsections. */
  includeSubsections: boolean;
}

/** The text with one section changed. What the edit does not touch keeps its bytes. */
export function editSection(text: string, section: Section, edit: SectionEdit): string {
  const ending = lineEndingOf(text);
  const content = withLineEnding(edit.content, ending);
  const { start, end } = rangeOf(text, section, edit);
  const isReplacement = edit.operation === 'replace';
  const added = isReplacement ? withoutOwnHeading(content, section) : content;
  if (added.trim() === '' && !isReplacement) return text;
  return join(text.slice(0, start), added, text.slice(end), ending, spacingOf(edit));
}

/** What the content takes the place of; adding takes an empty place. */
function rangeOf(text: string, section: Section, edit: SectionEdit): { start: number; end: number } {
  const bodyEnd = edit.includeSubsections ? section.end : section.ownEnd;
  switch (edit.operation) {
    case 'append':
      return emptyAt(endOfText(text, section.bodyStart, bodyEnd));
    case 'prepend':
      return emptyAt(startOfText(text, section.bodyStart, section.ownEnd));
    case 'replace':
      return {
        start: startOfText(text, section.bodyStart, bodyEnd),
        end: endOfText(text, section.bodyStart, bodyEnd),
      };
    case 'insert_before':
      return emptyAt(section.start);
    case 'insert_after':
      return emptyAt(endOfText(text, section.bodyStart, section.end));
  }
}

function emptyAt(offset: number) {
  return { start: offset, end: offset };
}

/** After the last line that says something, so that the blank lines before the next heading stay there. */
function endOfText(text: string, start: number, end: number): number {
  const body = text.slice(start, end);
  const said = body.trimEnd().length;
  if (said === 0) return start;
  const lineFeed = body.indexOf('\n', said);
  return lineFeed === -1 ? end : start + lineFeed + 1;
}

/** Behind the blank lines that follow a heading; where nothing is said in between, right after it. */
function startOfText(text: string, start: number, end: number): number {
  const blank = /^(?:[ \t]*\r?\n)*/.exec(text.slice(start, end))?.[0].length ?? 0;
  return start + blank === end || text.slice(start + blank, end).trim() === '' ? start : start + blank;
}

/** Models often send a section with its heading, which is there already. */
function withoutOwnHeading(content: string, section: Section): string {
  const [first] = scanBlocks(content).headings;
  const isOwn =
    first !== undefined &&
    content.slice(0, first.start).trim() === '' &&
    first.level === section.heading.level &&
    plainText(first.text) === plainText(section.heading.text);
  return isOwn ? content.slice(first.bodyStart).replace(/^(?:[ \t]*\r?\n)+/, '') : content;
}

interface Spacing {
  /** A blank line where the content meets other text. */
  before: boolean;
  after: boolean;
}

function spacingOf({ operation }: SectionEdit): Spacing {
  const isInsertion = operation === 'insert_before' || operation === 'insert_after';
  return { before: isInsertion, after: isInsertion };
}

/** The content on lines of its own, kept apart from what would make a heading or a table of it, or be made one. */
function join(before: string, content: string, after: string, ending: string, spacing: Spacing): string {
  if (content.trim() === '') return before + after;
  const opening = before === '' || before.endsWith('\n') ? '' : ending;
  const apart = (spacing.before && !endsBlank(before)) || (isUnderline(content) && !endsBlank(before));
  const closed = content.endsWith('\n') ? content : content + ending;
  const mustPart = spacing.after || beginsHeading(after) || isUnderline(after);
  const parted = mustPart && after !== '' && !/^[ \t]*\r?\n/.test(after) && !endsBlank(closed);
  return before + opening + (apart ? ending : '') + closed + (parted ? ending : '') + after;
}

function endsBlank(text: string): boolean {
  return text === '' || /\n[ \t]*\r?\n$/.test(text) || /^[ \t]*\r?\n$/.test(text);
}

/** A line that makes a heading of the paragraph above it. */
function isUnderline(text: string): boolean {
  return /^ {0,3}(?:=+|-+)[ \t]*(?:\r?\n|$)/.test(text);
}

/** Written with marks, or underlined, of which the first line looks like any other: then a blank line harms nothing. */
function beginsHeading(text: string): boolean {
  return scanBlocks(text.slice(0, longestHeading)).headings[0]?.start === 0;
}

/** Bounds the look ahead; no heading that people write is longer. */
const longestHeading = 2_000;
