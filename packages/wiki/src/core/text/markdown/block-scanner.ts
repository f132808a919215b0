import {
  endsRaw,
  footnoteMark,
  isDelimiterRow,
  isHtmlLine,
  isLetter,
  listMark,
  type RawBlock,
  rawBlock,
  startsHtml,
  thematicBreak,
  withoutClosingMarks,
} from './block-syntax.ts';
import { LineCursor } from './line-cursor.ts';
import type { Heading, Prose, Span } from './markdown.ts';
import { underlinedHeading } from './underlined-heading.ts';

/** A footnote counts as a list item too. */
type Container = { kind: 'quote' } | { kind: 'item'; contentIndent: number; empty: boolean };

interface Line extends Span {
  /** The offset after the line. */
  next: number;
  /** 1-based. */
  line: number;
}

interface Paragraph extends Span {
  /** The marks of quotes before its lines but the first. */
  marks: Span[];
  line: number;
  lineStart: number;
  lastLineStart: number;
  isTable: boolean;
}

/** Deeper quotes and lists are text: unbounded, their number times that of the lines could be huge. */
const deepest = 100;

/** Takes the lines of a page one after another and collects what it finds. */
export class BlockScanner {
  readonly headings: Heading[] = [];
  readonly prose: Prose[] = [];
  /** The prose of all headings, including those in quotes and lists. */
  readonly titles: Span[] = [];
  /** Fenced code, comments and the like, including their fences. */
  readonly raws: Span[] = [];
  private readonly text: string;
  private readonly containers: Container[] = [];
  /** The number of containers that a blank line continues; -1 if unknown. */
  private blankDepth = -1;
  private raw: RawBlock | null = null;
  private paragraph: Paragraph | null = null;
  /** True if the paragraph is a block of HTML: prose with neither headings nor fences. */
  private inHtml = false;

  constructor(text: string) {
    this.text = text;
  }

  addLine(start: number, end: number, next: number, line: number): void {
    // Handles most lines of most pages. A letter opens no block and ends none: the line is text, whatever
    // comes before it.
    if (this.raw === null && this.containers.length === 0 && isLetter(this.text.charCodeAt(start))) {
      this.addPlainText(start, { start, end, next, line });
      return;
    }
    const cursor = new LineCursor(this.text, start, end);
    const matched = this.matchContainers(cursor);
    const inAll = matched === this.containers.length;
    if (this.raw !== null && inAll) {
      if (endsRaw(this.raw, cursor)) this.endRaw(next);
      return;
    }
    this.endRaw(start);
    if (this.inHtml && !(inAll && !cursor.isBlank)) this.closeTo(matched);
    if (this.inHtml) this.addPlainText(end - cursor.rest.length, { start, end, next, line });
    else this.addBlockLine(cursor, { start, end, next, line }, matched, inAll);
  }

  finish(): void {
    this.closeTo(0);
  }

  /**
   * The number of open quotes and list items that the line continues. The cursor then stands after their
   * marks.
   */
  private matchContainers(cursor: LineCursor): number {
    let matched = 0;
    for (const container of this.containers) {
      if (cursor.isBlank) return this.matchBlank(matched);
      if (container.kind === 'quote') {
        if (cursor.indent > 3 || !cursor.rest.startsWith('>')) break;
        skipQuoteMark(cursor);
      } else {
        if (cursor.indent < container.contentIndent) break;
        if (container.empty) this.blankDepth = -1;
        container.empty = false;
        cursor.skipIndent(container.contentIndent);
      }
      matched += 1;
    }
    return matched;
  }

  /**
   * A blank line continues every list item up to the first quote or empty item. Counted once for many lines.
   */
  private matchBlank(matched: number): number {
    if (matched > 0) return this.countBlank(matched);
    if (this.blankDepth === -1) this.blankDepth = this.countBlank(0);
    return this.blankDepth;
  }

  private countBlank(from: number): number {
    let depth = from;
    for (; depth < this.containers.length; depth += 1) {
      const container = this.containers[depth];
      if (container?.kind !== 'item' || container.empty) break;
    }
    return depth;
  }

  private addBlockLine(cursor: LineCursor, line: Line, matched: number, inAll: boolean): void {
    let depth = matched;
    while (this.opensContainer(cursor, depth, inAll)) depth += 1;
    const { indent, rest } = cursor;
    const inParagraph = this.paragraph !== null && inAll;
    if (rest === '') this.closeTo(depth);
    else if (indent >= 4 && this.paragraph === null) this.closeTo(depth);
    else if (indent >= 4) this.addText(cursor, line, depth);
    else if (this.addHeading(rest, line, depth)) return;
    else if (this.startRaw(rest, line, depth)) return;
    else if (startsHtml(rest, this.paragraph !== null)) this.startHtml(rest, line, depth);
    else if (inParagraph && this.underlinePrevious(rest, line.next)) return;
    else if (thematicBreak.test(rest)) this.closeTo(depth);
    else this.addText(cursor, line, depth);
  }

  private startRaw(rest: string, { start }: Line, depth: number): boolean {
    this.raw = rawBlock(rest);
    if (this.raw === null) return false;
    this.closeTo(depth);
    this.raws.push({ start, end: this.text.length });
    return true;
  }

  private startHtml(rest: string, line: Line, depth: number): void {
    this.closeTo(depth);
    this.inHtml = true;
    this.addPlainText(line.end - rest.length, line);
    if (isHtmlLine(rest)) this.closeTo(depth);
  }

  private endRaw(end: number): void {
    const last = this.raws.at(-1);
    if (this.raw !== null && last !== undefined) last.end = end;
    this.raw = null;
  }

  private opensContainer(cursor: LineCursor, depth: number, inAll: boolean): boolean {
    const { indent, rest } = cursor;
    if (depth >= deepest || indent >= 4) return false;
    if (rest.startsWith('>')) {
      this.closeTo(depth);
      skipQuoteMark(cursor);
      this.push({ kind: 'quote' });
      return true;
    }
    if (this.opensFootnote(cursor, depth)) return true;
    const mark = listMark.exec(rest);
    if (mark === null || (cursor.hasOnly(rest.charAt(0)) && thematicBreak.test(rest))) return false;
    const empty = cursor.isBlankAfter(mark[0].length);
    const inParagraph = this.paragraph !== null && inAll;
    if (inParagraph && (empty || (mark[1] !== undefined && Number(mark[1]) !== 1))) return false;
    this.closeTo(depth);
    cursor.skipIndent(indent);
    cursor.skip(mark[0].length);
    const padding = empty || cursor.indent > 4 ? 1 : cursor.indent;
    cursor.skipIndent(padding);
    this.push({ kind: 'item', contentIndent: indent + mark[0].length + padding, empty });
    return true;
  }

  /**
   * Continues like a list item, with lines indented by four columns. Its mark is prose by itself, because of
   * its label.
   */
  private opensFootnote(cursor: LineCursor, depth: number): boolean {
    const mark = footnoteMark.exec(cursor.rest)?.[0];
    if (mark === undefined) return false;
    this.closeTo(depth);
    cursor.skipIndent(cursor.indent);
    this.prose.push({ start: cursor.offset, end: cursor.offset + mark.length });
    cursor.skip(mark.length);
    cursor.skipIndent(cursor.indent);
    this.push({ kind: 'item', contentIndent: 4, empty: false });
    return true;
  }

  private addHeading(rest: string, line: Line, depth: number) {
    const marks = /^#{1,6}(?=[ \t]|$)/.exec(rest)?.[0];
    if (marks === undefined) return false;
    this.closeTo(depth);
    const title = { start: line.end - rest.length + marks.length, end: line.end };
    this.prose.push({ ...title, kind: 'heading' });
    this.titles.push(title);
    if (depth === 0) {
      const text = withoutClosingMarks(rest.slice(marks.length));
      this.headings.push({
        level: marks.length,
        text,
        line: line.line,
        start: line.start,
        bodyStart: line.next,
      });
    }
    return true;
  }

  /** `===` or `---` under a paragraph makes it a heading. */
  private underlinePrevious(rest: string, next: number): boolean {
    const paragraph = this.paragraph;
    if (paragraph === null || paragraph.isTable || !/^(=+|-+)[ \t]*$/.test(rest)) return false;
    const heading = underlinedHeading(this.text, paragraph, {
      level: rest.startsWith('=') ? 1 : 2,
      bodyStart: next,
    });
    if (heading === null) return false;
    this.titles.push(heading.title);
    if (this.containers.length === 0) this.headings.push(heading.heading);
    this.closeTo(this.containers.length);
    return true;
  }

  private addText(cursor: LineCursor, line: Line, depth: number): void {
    const { rest } = cursor;
    const start = line.end - rest.length;
    const paragraph = this.paragraph;
    if (paragraph === null) this.closeTo(depth);
    if (
      paragraph?.isTable === false &&
      isDelimiterRow(rest) &&
      this.text.slice(paragraph.lastLineStart, paragraph.end).includes('|')
    ) {
      // Cells are separate: a backtick in one row must not pair with one in another.
      const { marks, lastLineStart } = paragraph;
      this.prose.push({ start: paragraph.start, end: lastLineStart, ...(marks.length > 0 && { marks }) });
      this.prose.push({ start: lastLineStart, end: paragraph.end });
      paragraph.isTable = true;
    } else this.addPlainText(start, line);
  }

  /** Adds text from `start` on to the paragraph or table, or begins a paragraph. */
  private addPlainText(start: number, { start: lineStart, end, line }: Line): void {
    const paragraph = this.paragraph;
    if (paragraph === null) {
      this.paragraph = { start, end, line, lineStart, lastLineStart: start, isTable: false, marks: [] };
    } else if (paragraph.isTable) {
      this.prose.push({ start, end });
    } else {
      const before = this.text.slice(lineStart, start);
      if (before.includes('>')) paragraph.marks.push({ start: lineStart, end: start });
      paragraph.end = end;
      paragraph.lastLineStart = start;
    }
  }

  /** Ends the paragraph and the quotes and list items below a depth. */
  private closeTo(depth: number): void {
    if (this.paragraph !== null && !this.paragraph.isTable) {
      const { start, end, marks } = this.paragraph;
      const kind = this.inHtml && { kind: 'html' as const };
      this.prose.push({ start, end, ...(marks.length > 0 && { marks }), ...kind });
    }
    this.paragraph = null;
    this.inHtml = false;
    if (depth >= this.containers.length) return;
    this.containers.length = depth;
    this.blankDepth = -1;
  }

  private push(container: Container): void {
    this.containers.push(container);
    this.blankDepth = -1;
  }
}

function skipQuoteMark(cursor: LineCursor): void {
  cursor.skipIndent(cursor.indent);
  cursor.skip(1);
  cursor.skipIndent(1);
}
