import { structuredPatch } from 'diff';

export interface UnifiedDiffOptions {
  /** Unchanged lines around a change; 3 by default, as in git. */
  context?: number;
  /** Of the diff's text; what is over it is cut at the end of a line where that is possible. */
  maxCharacters?: number;
}

export interface UnifiedDiff {
  /** Hunks as `git diff` prints them, without file headers. Empty where nothing differs. */
  diff: string;
  /** Lines added and removed in all, also where the diff is truncated. */
  added: number;
  removed: number;
  truncated: boolean;
}

/** The lines that differ. Its cost is bounded: very different texts are shown as one replacement. */
export function unifiedDiff(before: string, after: string, options: UnifiedDiffOptions = {}): UnifiedDiff {
  const { context = 3, maxCharacters = Number.POSITIVE_INFINITY } = options;
  if (before === after) return { diff: '', added: 0, removed: 0, truncated: false };
  const hunks = findHunks(before, after, context);
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

/**
 * How many lines may differ before the search for the shortest diff is given up. It takes time and memory in
 * the square of that: 1,000 is some 150 ms.
 */
const mostEdits = 1_000;

function findHunks(before: string, after: string, context: number): Hunk[] {
  const patch = structuredPatch('', '', before, after, '', '', { context, maxEditLength: mostEdits });
  return patch?.hunks ?? [replacement(splitLines(before), splitLines(after), context)];
}

/** One hunk that replaces everything between the lines that both texts begin with and those that both end with. */
function replacement(before: string[], after: string[], context: number): Hunk {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before[same] === after[same]) same += 1;
  let sameAtEnd = 0;
  while (sameAtEnd < shorter - same && before.at(-1 - sameAtEnd) === after.at(-1 - sameAtEnd)) sameAtEnd += 1;

  const start = Math.max(0, same - context);
  const oldEnd = before.length - sameAtEnd;
  const tail = before.slice(oldEnd, oldEnd + context);
  const newEnd = after.length - sameAtEnd;
  const oldLines = oldEnd - start + tail.length;
  const newLines = newEnd - start + tail.length;
  return {
    oldStart: start + 1,
    oldLines,
    newStart: start + 1,
    newLines,
    lines: [
      ...before.slice(start, same).flatMap((line) => marked(' ', line)),
      ...before.slice(same, oldEnd).flatMap((line) => marked('-', line)),
      ...after.slice(same, newEnd).flatMap((line) => marked('+', line)),
      ...tail.flatMap((line) => marked(' ', line)),
    ],
  };
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

/** As in git: a count of one is left out, and an empty range begins at the line before it. */
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
