export interface ReadWindowOptions {
  /** 1-based; the first line of the range by default. */
  startLine?: number | undefined;
  /** UTF-16 code units into `startLine` that were read before. */
  startChar?: number | undefined;
  maxLines?: number | undefined;
  /** How long the content may be as a JSON string, escapes included, quotes not. */
  maxSerialized: number;
  /** Read only this part of the text, such as a section. Offsets of the start of a line, and of an end of a line. */
  range?: { start: number; end: number } | undefined;
}

export interface ReadWindow {
  content: string;
  /** Of the whole text. */
  totalLines: number;
  startLine: number;
  /** Where to go on; both null where the text, or its range, was read to its end. */
  nextStartLine: number | null;
  nextStartChar: number | null;
  truncated: boolean;
}

/**
 * A part of a text that is no longer than asked for. Windows that follow one another's `next` give the text
 * exactly. A window ends after a whole line unless a single line is longer than it may be, never within a
 * surrogate pair, and has at least one character where there is one.
 */
export function readWindow(text: string, options: ReadWindowOptions): ReadWindow {
  const { start, end } = options.range ?? { start: 0, end: text.length };
  const firstLine = countLineFeeds(text, 0, start) + 1;
  const startLine = Math.max(options.startLine ?? firstLine, firstLine);
  const lineStart = skipLines(text, start, end, startLine - firstLine);
  const from = withinLine(text, lineStart, end, options.startChar ?? 0);

  const enoughLines =
    options.maxLines === undefined ? end : skipLines(text, lineStart, end, options.maxLines);
  const to = endWithin(text, from, Math.max(from, enoughLines), options.maxSerialized);
  const atEnd = to >= end;
  const lastBreak = text.lastIndexOf('\n', to - 1);
  const nextLineStart = Math.max(lineStart, lastBreak + 1);
  return {
    content: text.slice(from, to),
    totalLines: countLines(text),
    startLine,
    nextStartLine: atEnd ? null : startLine + countLineFeeds(text, lineStart, to),
    nextStartChar: atEnd ? null : to - nextLineStart,
    truncated: !atEnd,
  };
}

/** A line feed ends a line; what follows the last one is a line where it is not empty. */
export function countLines(text: string): number {
  return countLineFeeds(text, 0, text.length) + (text === '' || text.endsWith('\n') ? 0 : 1);
}

function countLineFeeds(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** The offset after so many lines, at most `end`. */
function skipLines(text: string, start: number, end: number, lines: number): number {
  let at = start;
  for (let left = lines; left > 0 && at < end; left -= 1) {
    const lineFeed = text.indexOf('\n', at);
    at = lineFeed === -1 ? end : Math.min(end, lineFeed + 1);
  }
  return at;
}

/** `characters` into the line, at most at its end; a half of a surrogate pair is not passed over. */
function withinLine(text: string, lineStart: number, end: number, characters: number): number {
  const lineEnd = skipLines(text, lineStart, end, 1);
  const at = Math.min(lineStart + characters, lineEnd);
  return splitsAPair(text, at) ? at - 1 : at;
}

/** How far from `from` the budget reaches: to the end of the last whole line, else into the line. */
function endWithin(text: string, from: number, to: number, budget: number): number {
  // As it is with most pages: then no character need be looked at.
  if ((to - from) * mostSerialized <= budget) return to;
  let left = budget;
  let wholeLines = from;
  for (let at = from; at < to; at += 1) {
    left -= serializedLength(text.charCodeAt(at));
    if (left < 0) return wholeLines > from ? wholeLines : partOfLine(text, from, at);
    if (text.charCodeAt(at) === lineFeed) wholeLines = at + 1;
  }
  return to;
}

function partOfLine(text: string, from: number, to: number): number {
  const whole = splitsAPair(text, to) ? to - 1 : to;
  if (whole > from) return whole;
  return splitsAPair(text, from + 1) ? from + 2 : from + 1;
}

function splitsAPair(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff;
}

const lineFeed = 10;
const mostSerialized = 6;

/** What `JSON.stringify` makes of one UTF-16 code unit; a pair counts as its two units. */
function serializedLength(unit: number): number {
  if (unit === 0x22 || unit === 0x5c) return 2;
  if (unit >= 0x20) return 1;
  return (unit >= 8 && unit <= 10) || unit === 12 || unit === 13 ? 2 : 6;
}
