import { diffArrays } from 'diff';
import { coarseHunks, type Hunk } from './coarse-hunks.ts';

/**
 * The line-by-line merge of two texts that both came from `base`; null if both changed the same place, or if
 * one is not text. Bytes stay as they are, whatever their encoding.
 */
export function mergeText(base: Uint8Array, ours: Uint8Array, theirs: Uint8Array): Uint8Array | null {
  const merged = merge(base, ours, theirs, () => null);
  return merged === null || merged.conflicts > 0 ? null : merged.text;
}

/**
 * The same merge for a person who decides: a place that both changed holds both texts between lines of marks, as native
 * git writes them. Null if one is not text.
 */
export function mergeMarked(
  base: Uint8Array,
  ours: Uint8Array,
  theirs: Uint8Array,
  names: { ours: string; theirs: string },
): Merged | null {
  return merge(base, ours, theirs, (one, other) => [
    `${'<'.repeat(7)} ${names.ours}\n`,
    ...inWholeLines(one),
    `${'='.repeat(7)}\n`,
    ...inWholeLines(other),
    `${'>'.repeat(7)} ${names.theirs}\n`,
  ]);
}

export interface Merged {
  text: Uint8Array;
  /** The places that both changed. */
  conflicts: number;
}

function merge(
  base: Uint8Array,
  ours: Uint8Array,
  theirs: Uint8Array,
  both: (ours: string[], theirs: string[]) => string[] | null,
): Merged | null {
  const [baseLines, ourLines, theirLines] = [linesOf(base), linesOf(ours), linesOf(theirs)];
  if (baseLines === null || ourLines === null || theirLines === null) return null;
  const merged: string[] = [];
  let [at, conflicts] = [0, 0];
  for (const place of placesOf(hunksBetween(baseLines, ourLines), hunksBetween(baseLines, theirLines))) {
    for (const line of baseLines.slice(at, place.start)) merged.push(line);
    const [one, other] = [place.ours, place.theirs].map((hunks) => applied(baseLines, place, hunks));
    const isConflict = place.ours.length > 0 && place.theirs.length > 0 && !isSame(place.ours, place.theirs);
    if (isConflict) conflicts += 1;
    const lines = isConflict ? both(one ?? [], other ?? []) : place.ours.length > 0 ? one : other;
    for (const line of lines ?? []) merged.push(line);
    at = place.end;
  }
  for (const line of baseLines.slice(at)) merged.push(line);
  return { text: Buffer.from(merged.join(''), 'latin1'), conflicts };
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

/** A part of the base with the hunks of both sides in it, which overlap or touch. */
interface Place {
  start: number;
  end: number;
  ours: Hunk[];
  theirs: Hunk[];
}

/** As in git, hunks of the two sides that touch are one place. */
function placesOf(ours: readonly Hunk[], theirs: readonly Hunk[]): Place[] {
  const hunks = [
    ...ours.map((hunk) => ({ hunk, side: 'ours' as const })),
    ...theirs.map((hunk) => ({ hunk, side: 'theirs' as const })),
  ].sort((one, other) => one.hunk.start - other.hunk.start || one.hunk.end - other.hunk.end);
  const places: Place[] = [];
  for (const { hunk, side } of hunks) {
    let place = places.at(-1);
    if (place === undefined || hunk.start > place.end) {
      place = { start: hunk.start, end: hunk.end, ours: [], theirs: [] };
      places.push(place);
    }
    place.end = Math.max(place.end, hunk.end);
    place[side].push(hunk);
  }
  return places;
}

function isSame(ours: readonly Hunk[], theirs: readonly Hunk[]): boolean {
  return ours.length === theirs.length && ours.every((hunk, at) => isSameHunk(hunk, theirs[at]));
}

function isSameHunk(one: Hunk, other: Hunk | undefined): boolean {
  if (one.start !== other?.start || one.end !== other.end) return false;
  return one.lines.join('') === other.lines.join('');
}

/** The lines of a place after these hunks. */
function applied(base: readonly string[], { start, end }: Place, hunks: readonly Hunk[]): string[] {
  const lines: string[] = [];
  let at = start;
  for (const hunk of hunks) {
    for (const line of base.slice(at, hunk.start)) lines.push(line);
    for (const line of hunk.lines) lines.push(line);
    at = hunk.end;
  }
  return lines.concat(base.slice(at, end));
}

/** The last line of a text may lack its line feed, and a mark follows it. */
function inWholeLines(lines: readonly string[]): string[] {
  return lines.map((line) => (line.endsWith('\n') ? line : `${line}\n`));
}

const BINARY_PROBE = 8_000;
/**
 * Lines added and removed on one side: the time of a comparison grows with their square, and this many take
 * some 50 ms.
 */
const MAX_EDITS = 500;
