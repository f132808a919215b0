import { lineEndingOf, withLineEnding } from '../text-encoding.ts';
import type { Splice } from '../text-runs.ts';
import { scanBlocks } from './markdown-blocks.ts';
import { plainText, type Section } from './outline.ts';

export interface SectionEdit {
  operation: 'append' | 'prepend' | 'replace' | 'insert_before' | 'insert_after';
  content: string;
  /** True if the replaced part, or the part that is extended at its end, includes the subsections. */
  includeSubsections: boolean;
}

export interface EditedSection {
  text: string;
  /** The part that the edit replaced. */
  splice: Splice;
}

/** Changes one section of a text. Everything else keeps its bytes. */
export function editSection(text: string, section: Section, edit: SectionEdit): EditedSection {
  const ending = lineEndingOf(text);
  const content = withLineEnding(edit.content, ending);
  const { start, end } = rangeOf(text, section, edit);
  const added = edit.operation === 'replace' ? withoutOwnHeading(content, section) : content;
  const isInsertion = edit.operation === 'insert_before' || edit.operation === 'insert_after';
  const edited = join(text.slice(0, start), added, text.slice(end), ending, isInsertion);
  return { text: edited, splice: { start, end, length: edited.length - text.length + end - start } };
}

/** The range that the content replaces; empty for an addition. */
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

/** The end of the last line with text, so that the blank lines before the next heading stay there. */
function endOfText(text: string, start: number, end: number): number {
  const body = text.slice(start, end);
  const said = body.trimEnd().length;
  if (said === 0) return start;
  const lineFeed = body.indexOf('\n', said);
  return lineFeed === -1 ? end : start + lineFeed + 1;
}

/** After the blank lines that follow a heading; right after the heading if there is no text. */
function startOfText(text: string, start: number, end: number): number {
  const body = text.slice(start, end);
  if (body.trim() === '') return start;
  return start + (/^(?:[ \t]*\r?\n)+/.exec(body)?.[0].length ?? 0);
}

/** Removes the section's own heading from the content: models often send it, and it is there already. */
function withoutOwnHeading(content: string, section: Section): string {
  const start = content.lastIndexOf('\n', content.search(/\S/)) + 1;
  const lineFeed = content.indexOf('\n', start + longestHeading);
  const [first] = scanBlocks(content.slice(start, lineFeed === -1 ? undefined : lineFeed + 1)).headings;
  const isOwn =
    first !== undefined &&
    first.start === 0 &&
    first.level === section.heading.level &&
    plainText(first.text) === plainText(section.heading.text);
  return isOwn ? content.slice(start + first.bodyStart).replace(/^(?:[ \t]*\r?\n)+/, '') : content;
}

/**
 * The content on lines of its own, separated from text that would turn it into a heading or table, or the
 * other way round. An insertion has a blank line before and after it.
 */
function join(before: string, content: string, after: string, ending: string, isInsertion: boolean): string {
  if (content.trim() === '') return before + after;
  const opening = before === '' || before.endsWith('\n') ? '' : ending;
  const mustBegin = isInsertion || isUnderline(content) || beginsUnderlined(content);
  const apart = mustBegin && !endsBlank(before);
  const closed = content.endsWith('\n') ? content : content + ending;
  const mustPart = isInsertion || beginsHeading(after) || isUnderline(after);
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

/**
 * True for a heading with marks or one that is underlined. The first line of the latter looks like text; a
 * blank line then does no harm.
 */
function beginsHeading(text: string): boolean {
  return scanBlocks(text.slice(0, longestHeading)).headings[0]?.start === 0;
}

/** True for a heading that is underlined: a line of text above it would be part of it. */
function beginsUnderlined(text: string): boolean {
  return beginsHeading(text) && !/^ {0,3}#/.test(text);
}

/** Bounds the look-ahead: people write no longer headings. */
const longestHeading = 2_000;
