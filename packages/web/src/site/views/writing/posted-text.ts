import { diffArrays } from 'diff';

/**
 * The text that a person sent, with the line ends of the text that was in the form. A browser sends every line end as
 * CRLF and cannot keep some characters: lines that the person left alone stay as they were, to the byte, and new ones
 * end as most others do.
 */
export function keepLineEnds(before: string, posted: string): string {
  const text = posted.replaceAll(LINE_END, '\n');
  if (!/[\r\0]|^\uFEFF/.test(before)) return text;
  const old = linesOf(before);
  const kept: string[] = [];
  const end = usualEnd(old);
  const withEnd = (line: string) => (line.endsWith('\n') ? line.slice(0, -1) + end : line);
  let at = 0;
  for (const { added, removed, count, value } of changesBetween(old.map(asSent), linesOf(text))) {
    if (added) for (const line of value) kept.push(withEnd(line));
    else if (!removed) for (const line of old.slice(at, at + count)) kept.push(line);
    if (!added) at += count;
  }
  return joined(kept);
}

/** A line that ends in CR alone must not become one with an empty line that now follows it. */
function joined(lines: readonly string[]): string {
  const ends = [...lines];
  // From the end: a line that was changed may be the empty one after the line before it.
  for (let at = ends.length - 2; at >= 0; at -= 1) {
    const line = ends[at] ?? '';
    if (line.endsWith('\r') && ends[at + 1]?.startsWith('\n')) ends[at] = `${line.slice(0, -1)}\n`;
  }
  return ends.join('');
}

const LINE_END = /\r\n?/g;

function linesOf(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n?|\n)|[^\r\n]+$/g) ?? [];
}

/** A line as the browser sends it back, but with a plain line feed. */
function asSent(line: string, index: number): string {
  const sent = line.replaceAll(LINE_END, '\n').replaceAll('\0', '\uFFFD');
  return index === 0 ? sent.replace(/^\uFEFF/, '') : sent;
}

function usualEnd(lines: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const end = /\r\n?$|\n$/.exec(line)?.[0] ?? '\n';
    counts.set(end, (counts.get(end) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? '\n';
}

interface LineChange {
  added: boolean;
  removed: boolean;
  count: number;
  value: string[];
}

/** The fewest changed lines or, if finding them takes too long, all between the equal beginning and end. */
function changesBetween(old: string[], now: string[]): LineChange[] {
  const found = diffArrays(old, now, { maxEditLength: MAX_EDITS });
  if (found !== undefined) return found;
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let [oldEnd, nowEnd] = [old.length, now.length];
  while (oldEnd > start && nowEnd > start && old[oldEnd - 1] === now[nowEnd - 1]) {
    oldEnd -= 1;
    nowEnd -= 1;
  }
  const change = (value: string[], kind: { added?: true; removed?: true }): LineChange => ({
    added: false,
    removed: false,
    ...kind,
    count: value.length,
    value,
  });
  return [
    change(old.slice(0, start), {}),
    change(old.slice(start, oldEnd), { removed: true }),
    change(now.slice(start, nowEnd), { added: true }),
    change(old.slice(oldEnd), {}),
  ];
}

/** The time of a comparison grows with the square of this number, to some 50 ms. */
const MAX_EDITS = 500;
