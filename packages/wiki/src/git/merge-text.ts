import { diffArrays } from 'diff';

/**
 * What two texts make together that both came from `base`, line by line; null where both changed the same place,
 * where one is no text, or where too much changed. Bytes stay as they are, whatever their encoding.
 */
export function mergeText(base: Uint8Array, ours: Uint8Array, theirs: Uint8Array): Uint8Array | null {
  const [baseLines, ourLines, theirLines] = [linesOf(base), linesOf(ours), linesOf(theirs)];
  if (baseLines === null || ourLines === null || theirLines === null) return null;
  const ourHunks = hunksBetween(baseLines, ourLines);
  const theirHunks = hunksBetween(baseLines, theirLines);
  if (ourHunks === null || theirHunks === null) return null;
  const hunks = combine(ourHunks, theirHunks);
  return hunks === null ? null : Buffer.from(applyHunks(baseLines, hunks).join(''), 'latin1');
}

/** The lines from `start` up to `end` of the base give way to `lines`. */
interface Hunk {
  start: number;
  end: number;
  lines: readonly string[];
}

/** The lines as binary strings, each with its line feed; null for what git would call a binary file. */
function linesOf(content: Uint8Array): string[] | null {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (bytes.subarray(0, BINARY_PROBE).includes(0)) return null;
  return bytes.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function hunksBetween(base: string[], changed: string[]): Hunk[] | null {
  const changes = diffArrays(base, changed, { maxEditLength: EDITS_MOST });
  if (changes === undefined) return null;
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

/** Both sides' hunks in order, what both did the same once; null where they overlap or touch, as in git. */
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
/** Lines added and removed on one side: comparing takes time with the square of them. */
const EDITS_MOST = 4_000;
