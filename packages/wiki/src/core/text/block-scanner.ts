import {
  endsRaw,
  isDelimiterRow,
  listMark,
  type RawBlock,
  rawBlock,
  thematicBreak,
  withoutClosingMarks,
} from './block-syntax.ts';
import { LineCursor } from './line-cursor.ts';
import type { Heading, Span } from './markdown.ts';

type Container = { kind: 'quote' } | { kind: 'item'; contentIndent: number; empty: boolean };

interface Line extends Span {
  /** Of the line after it. */
  next: number;
  /** 1-based. */
  line: number;
}

interface Paragraph extends Span {
  line: number;
  lineStart: number;
  lastLineStart: number;
  isTable: boolean;
}

/** Deeper quotes and lists are text: without a bound their number times that of the lines could be huge. */
const deepest = 100;

/** Takes the lines of a page one after another and keeps what it found. */
export class BlockScanner {
  readonly headings: Heading[] = [];
  readonly prose: Span[] = [];
  private readonly text: string;
  private readonly containers: Container[] = [];
  private raw: RawBlock | null = null;
  private paragraph: Paragraph | null = null;

  constructor(text: string) {
    this.text = text;
  }

  addLine(start: number, end: number, next: number, line: number): void {
    const cursor = new LineCursor(this.text, start, end);
    const matched = this.matchContainers(cursor);
    const inAll = matched === this.containers.length;
    if (this.raw !== null && inAll) {
      if (endsRaw(this.raw, cursor)) this.raw = null;
      return;
    }
    this.raw = null;
    this.addBlockLine(cursor, { start, end, next, line }, matched, inAll);
  }

  finish(): void {
    this.closeTo(0);
  }

  /** How many of the open quotes and list items the line goes on with; the cursor is then after their marks. */
  private matchContainers(cursor: LineCursor): number {
    let matched = 0;
    for (const container of this.containers) {
      const { indent, rest } = cursor;
      if (container.kind === 'quote') {
        if (indent > 3 || !rest.startsWith('>')) break;
        skipQuoteMark(cursor);
      } else {
        if (rest === '' ? container.empty : indent < container.contentIndent) break;
        if (rest !== '') container.empty = false;
        cursor.skipIndent(container.contentIndent);
      }
      matched += 1;
    }
    return matched;
  }

  private addBlockLine(cursor: LineCursor, line: Line, matched: number, inAll: boolean): void {
    let depth = matched;
    while (this.opensContainer(cursor, depth, inAll)) depth += 1;
    const { indent, rest } = cursor;
    const inParagraph = this.paragraph !== null && inAll;
    if (rest === '') this.closeTo(depth);
    else if (indent >= 4) this.addIndented(cursor, line, depth);
    else if (this.addHeading(rest, line, depth)) return;
    else if (this.startRaw(rest, depth)) return;
    else if (inParagraph && this.underlinePrevious(rest, line.next)) return;
    else if (thematicBreak.test(rest)) this.closeTo(depth);
    else this.addText(cursor, line, depth);
  }

  /** Code, unless it goes on with a paragraph. */
  private addIndented(cursor: LineCursor, line: Line, depth: number): void {
    if (this.paragraph === null) this.closeTo(depth);
    else this.addText(cursor, line, depth);
  }

  private startRaw(rest: string, depth: number): boolean {
    this.raw = rawBlock(rest);
    if (this.raw !== null) this.closeTo(depth);
    return this.raw !== null;
  }

  private opensContainer(cursor: LineCursor, depth: number, inAll: boolean): boolean {
    const { indent, rest } = cursor;
    if (depth >= deepest || indent >= 4) return false;
    if (rest.startsWith('>')) {
      this.closeTo(depth);
      skipQuoteMark(cursor);
      this.containers.push({ kind: 'quote' });
      return true;
    }
    const mark = listMark.exec(rest);
    if (mark === null || thematicBreak.test(rest)) return false;
    const empty = rest.length === mark[0].length || rest.slice(mark[0].length).trim() === '';
    const inParagraph = this.paragraph !== null && inAll;
    if (inParagraph && (empty || (mark[1] !== undefined && Number(mark[1]) !== 1))) return false;
    this.closeTo(depth);
    cursor.skipIndent(indent);
    cursor.skip(mark[0].length);
    const padding = empty || cursor.indent > 4 ? 1 : cursor.indent;
    cursor.skipIndent(padding);
    this.containers.push({ kind: 'item', contentIndent: indent + mark[0].length + padding, empty });
    return true;
  }

  private addHeading(rest: string, line: Line, depth: number) {
    const marks = /^#{1,6}(?=[ \t]|$)/.exec(rest)?.[0];
    if (marks === undefined) return false;
    this.closeTo(depth);
    this.prose.push({ start: line.end - rest.length + marks.length, end: line.end });
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
    const isDefinition = /^\[[^\]]+\]:/.test(this.text.slice(paragraph.lastLineStart, paragraph.end));
    if (isDefinition) return false;
    if (this.containers.length === 0) {
      const { line, lineStart, start, end } = paragraph;
      const text = this.text
        .slice(start, end)
        .split('\n')
        .map((part) => part.trim())
        .join(' ');
      this.headings.push({
        level: rest.startsWith('=') ? 1 : 2,
        text,
        line,
        start: lineStart,
        bodyStart: next,
      });
    }
    this.closeTo(this.containers.length);
    return true;
  }

  private addText(cursor: LineCursor, line: Line, depth: number): void {
    const { rest } = cursor;
    const start = line.end - rest.length;
    const paragraph = this.paragraph;
    if (paragraph === null) {
      this.closeTo(depth);
      const { start: lineStart, end, line: number } = line;
      this.paragraph = { start, end, line: number, lineStart, lastLineStart: start, isTable: false };
    } else if (paragraph.isTable) {
      this.prose.push({ start, end: line.end });
    } else if (
      isDelimiterRow(rest) &&
      this.text.slice(paragraph.lastLineStart, paragraph.end).includes('|')
    ) {
      // Cells are apart: a backtick in one row must not pair with one in another.
      this.prose.push({ start: paragraph.start, end: paragraph.lastLineStart });
      this.prose.push({ start: paragraph.lastLineStart, end: paragraph.end });
      paragraph.isTable = true;
    } else {
      paragraph.end = line.end;
      paragraph.lastLineStart = start;
    }
  }

  /** Ends the paragraph and the quotes and list items below a depth. */
  private closeTo(depth: number): void {
    if (this.paragraph !== null && !this.paragraph.isTable) {
      this.prose.push({ start: this.paragraph.start, end: this.paragraph.end });
    }
    this.paragraph = null;
    this.containers.length = Math.min(this.containers.length, depth);
  }
}

function skipQuoteMark(cursor: LineCursor): void {
  cursor.skipIndent(cursor.indent);
  cursor.skip(1);
  cursor.skipIndent(1);
}
