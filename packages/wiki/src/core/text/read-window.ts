export interface ReadWindowOptions {
  /** 1-based; the first line of the range by default. */
  startLine?: number | undefined;
  /** The number of UTF-16 code units of `startLine` that were read before. */
  startChar?: number | undefined;
  maxLines?: number | undefined;
  /** The maximum length of the content as a JSON string, including escapes but not quotes. */
  maxSerialized: number;
  /**
   * Reads only this part of the text, such as a section. `start` is the start of a line, `end` the end of
   * one.
   */
  range?: { start: number; end: number } | undefined;
}

export interface ReadWindow {
  content: string;
  /** Lines of the whole text. */
  totalLines: number;
  startLine: number;
  /** The position at which to continue; both null if the text, or its range, was read to its end. */
  nextStartLine: number | null;
  nextStartChar: number | null;
  truncated: boolean;
}

/**
 * A part of a text within a length limit. Windows that follow each other's `next` yield the text exactly. A
 * window ends after a whole line, unless a single line exceeds the limit; never within a surrogate pair. It
 * has at least one character unless the text is at its end.
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

/** The number of lines: a line feed ends a line, and text after the last one counts as a line. */
export function countLines(text: string): number {
  return countLineFeeds(text, 0, text.length) + (text === '' || text.endsWith('\n') ? 0 : 1);
}

function countLineFeeds(text: string, start: number, end: number): number {
  let count = 0;
  // Searching from one line feed to the next takes ten times as long if lines are short.
  for (let at = start; at < end; at += 1) if (text.charCodeAt(at) === lineFeed) count += 1;
  return count;
}

/** The offset after this many lines, at most `end`. */
function skipLines(text: string, start: number, end: number, lines: number): number {
  let at = start;
  for (let left = lines; left > 0 && at < end; left -= 1) {
    const lineFeed = text.indexOf('\n', at);
    at = lineFeed === -1 ? end : Math.min(end, lineFeed + 1);
  }
  return at;
}

/** `characters` into the line, at most at its end, never within a surrogate pair. */
function withinLine(text: string, lineStart: number, end: number, characters: number): number {
  const lineEnd = skipLines(text, lineStart, end, 1);
  const at = Math.min(lineStart + characters, lineEnd);
  return splitsAPair(text, at) ? at - 1 : at;
}

/**
 * The end of the part that the budget allows from `from` on: after the last whole line, else within the line.
 */
function endWithin(text: string, from: number, to: number, budget: number): number {
  // True for most pages: then no character needs to be examined.
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

/** The length of one UTF-16 code unit in the output of `JSON.stringify`. A pair counts as its two units. */
function serializedLength(unit: number): number {
  if (unit === 0x22 || unit === 0x5c) return 2;
  if (unit >= 0x20) return 1;
  return (unit >= 8 && unit <= 10) || unit === 12 || unit === 13 ? 2 : 6;
}
