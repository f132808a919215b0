import { diffArrays } from 'diff';
import { coarseHunks, type Hunk } from './coarse-hunks.ts';

/**
 * The line-by-line merge of two texts that both came from `base`; null if both changed the same place, or if
 * one is not text. Bytes stay as they are, whatever their encoding.
 */
export function mergeText(base: Uint8Array, ours: Uint8Array, theirs: Uint8Array): Uint8Array | null {
  const [baseLines, ourLines, theirLines] = [linesOf(base), linesOf(ours), linesOf(theirs)];
  if (baseLines === null || ourLines === null || theirLines === null) return null;
  const ourHunks = hunksBetween(baseLines, ourLines);
  const theirHunks = hunksBetween(baseLines, theirLines);
  const hunks = combine(ourHunks, theirHunks);
  return hunks === null ? null : Buffer.from(applyHunks(baseLines, hunks).join(''), 'latin1');
}

/** The lines as binary strings, each with its line feed; null for a file that git would call binary. */
function linesOf(content: Uint8Array): string[] | null {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (bytes.subarray(0, BINARY_PROBE).includes(0)) return null;
  return bytes.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/**
 * The smallest set of differing lines; if that takes too long to find, the coarser hunks between unique
 * lines.
 */
function hunksBetween(base: string[], changed: string[]): Hunk[] {
  const changes = diffArrays(base, changed, { maxEditLength: MAX_EDITS });
  if (changes === undefined) return coarseHunks(base, changed);
  const hunks: Hunk[] = [];
  let at = 0;
  for (const { added, removed, value, count } of changes) {
    const last = hunks.at(-1);
    if (removed) hunks.push({ start: at, end: at + count, lines: [] });
    else if (added && last?.end === at && last.lines.length === 0) last.lines = value;
    else if (added) hunks.push({ start: at, end: at, lines: value });
    if (!added) at += count;
  }
  return hunks;
}

/** Both sides' hunks in order, with equal hunks once; null if they overlap or touch, as in git. */
function combine(ours: readonly Hunk[], theirs: readonly Hunk[]): Hunk[] | null {
  const hunks = [...ours, ...theirs].sort((one, other) => one.start - other.start || one.end - other.end);
  const combined: Hunk[] = [];
  for (const hunk of hunks) {
    const last = combined.at(-1);
    if (last && isSame(last, hunk)) continue;
    if (last && hunk.start <= last.end) return null;
    combined.push(hunk);
  }
  return combined;
}

function isSame(one: Hunk, other: Hunk): boolean {
  if (one.start !== other.start || one.end !== other.end) return false;
  return one.lines.join('') === other.lines.join('');
}

function applyHunks(base: readonly string[], hunks: readonly Hunk[]): string[] {
  const merged: string[] = [];
  let at = 0;
  for (const { start, end, lines } of hunks) {
    for (const line of base.slice(at, start)) merged.push(line);
    for (const line of lines) merged.push(line);
    at = end;
  }
  return merged.concat(base.slice(at));
}

const BINARY_PROBE = 8_000;
/**
 * Lines added and removed on one side: the time of a comparison grows with their square, and this many take
 * some 50 ms.
 */
const MAX_EDITS = 500;
