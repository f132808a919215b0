import { structuredPatch } from 'diff';
import { countLines } from './read-window.ts';

export interface UnifiedDiffOptions {
  /** Unchanged lines around a change; 3 by default, as in git. */
  context?: number;
  /** Limits the diff's text. A longer diff is cut, at the end of a line if possible. */
  maxCharacters?: number;
}

export interface UnifiedDiff {
  /** Hunks as `git diff` prints them, without file headers. Empty if nothing differs. */
  diff: string;
  /** The total number of added and removed lines, even if the diff is truncated. */
  added: number;
  removed: number;
  truncated: boolean;
}

/** The differing lines. The cost is bounded: very different texts are shown as one replacement. */
export function unifiedDiff(before: string, after: string, options: UnifiedDiffOptions = {}): UnifiedDiff {
  const { context = 3, maxCharacters = Number.POSITIVE_INFINITY } = options;
  if (before === after) return { diff: '', added: 0, removed: 0, truncated: false };
  const part = differingPart(before, after, context);
  const hunks = findHunks(part, context);
  if (hunks === null) {
    const { removed, added } = part;
    const lines = replacementOf(part, maxCharacters);
    return { ...cut(lines, maxCharacters), added: countLines(added), removed: countLines(removed) };
  }
  const lines = hunks.flatMap((hunk) => [headerOf(hunk), ...hunk.lines]);
  const all = hunks.flatMap((hunk) => hunk.lines);
  return {
    ...cut(lines, maxCharacters),
    added: all.filter((line) => line.startsWith('+')).length,
    removed: all.filter((line) => line.startsWith('-')).length,
  };
}

interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  /** Each with its mark: a space, `+`, `-` or `\`. */
  lines: string[];
}

/** The lines between the common beginning and the common end of both texts, with context around them. */
interface DifferingPart {
  /** The number of lines before this part. */
  linesBefore: number;
  contextBefore: string;
  removed: string;
  added: string;
  contextAfter: string;
}

function differingPart(before: string, after: string, context: number): DifferingPart {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before.charCodeAt(same) === after.charCodeAt(same)) same += 1;
  const start = lineStart(before, same);

  let oldEnd = before.length;
  let newEnd = after.length;
  while (Math.min(oldEnd, newEnd) > start && before.charCodeAt(oldEnd - 1) === after.charCodeAt(newEnd - 1)) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  if (!isLineStart(before, oldEnd) || !isLineStart(after, newEnd)) {
    const lineFeed = before.indexOf('\n', oldEnd);
    const sameAtEnd = lineFeed === -1 ? 0 : before.length - lineFeed - 1;
    oldEnd = before.length - sameAtEnd;
    newEnd = after.length - sameAtEnd;
  }

  let from = start;
  for (let line = 0; line < context && from > 0; line += 1) from = lineStart(before, from - 1);
  let to = oldEnd;
  for (let line = 0; line < context && to < before.length; line += 1) {
    const lineFeed = before.indexOf('\n', to);
    to = lineFeed === -1 ? before.length : lineFeed + 1;
  }
  return {
    linesBefore: countLines(before.slice(0, from)),
    contextBefore: before.slice(from, start),
    removed: before.slice(start, oldEnd),
    added: after.slice(start, newEnd),
    contextAfter: before.slice(oldEnd, to),
  };
}

function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

function isLineStart(text: string, offset: number): boolean {
  return offset === 0 || text.charCodeAt(offset - 1) === LINE_FEED;
}

const LINE_FEED = 10;

/**
 * The number of differing lines above which the search for the shortest diff is given up. Its time and memory
 * grow with the square of that number: 500 take some 50 ms.
 */
const mostEdits = 500;
/** Splitting the texts takes time as well: this many lines take some 50 ms. */
const MAX_LINES_COMPARED = 40_000;

/** Null if it would take too long. */
function findHunks(part: DifferingPart, context: number): Hunk[] | null {
  const { linesBefore, contextBefore, removed, added, contextAfter } = part;
  if (countLines(removed) + countLines(added) > MAX_LINES_COMPARED) return null;
  const [old, present] = [removed, added].map((changed) => contextBefore + changed + contextAfter);
  const options = { context, maxEditLength: mostEdits };
  const patch = structuredPatch('', '', old ?? '', present ?? '', '', '', options);
  if (patch === undefined) return null;
  return patch.hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + linesBefore,
    newStart: hunk.newStart + linesBefore,
  }));
}

/** One hunk that replaces everything that may differ. Contains as much of both texts as can be shown. */
function replacementOf(part: DifferingPart, maxCharacters: number): string[] {
  const { linesBefore, contextBefore, removed, added, contextAfter } = part;
  const around = countLines(contextBefore) + countLines(contextAfter);
  const header = headerOf({
    oldStart: linesBefore + 1,
    oldLines: around + countLines(removed),
    newStart: linesBefore + 1,
    newLines: around + countLines(added),
    lines: [],
  });
  return [
    header,
    ...markedLines(' ', contextBefore),
    ...markedLines('-', removed.slice(0, maxCharacters)),
    ...markedLines('+', added.slice(0, maxCharacters)),
    ...markedLines(' ', contextAfter),
  ];
}

function markedLines(mark: string, text: string): string[] {
  return splitLines(text).flatMap((line) => marked(mark, line));
}

function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function marked(mark: string, line: string): string[] {
  return line.endsWith('\n') ? [mark + line.slice(0, -1)] : [mark + line, '\\ No newline at end of file'];
}

function headerOf({ oldStart, oldLines, newStart, newLines }: Hunk): string {
  return `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`;
}

/** As in git: a count of one is omitted, and an empty range begins at the line before it. */
function range(start: number, count: number): string {
  if (count === 1) return String(start);
  return `${count === 0 ? start - 1 : start},${count}`;
}

function cut(lines: string[], maxCharacters: number): { diff: string; truncated: boolean } {
  let length = 0;
  const fitting = lines.findIndex((line) => {
    length += line.length + 1;
    return length > maxCharacters;
  });
  if (fitting === -1) return { diff: `${lines.join('\n')}\n`, truncated: false };
  if (fitting > 1) return { diff: `${lines.slice(0, fitting).join('\n')}\n`, truncated: true };
  const start = lines.slice(0, 2).join('\n').slice(0, maxCharacters);
  return { diff: endsInHalfAPair(start) ? start.slice(0, -1) : start, truncated: true };
}

function endsInHalfAPair(text: string): boolean {
  return /[\ud800-\udbff]$/.test(text);
}
