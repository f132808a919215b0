import { diffArrays } from 'diff';

/**
 * For each line of `after`, the number of the same line in `before`, or -1 if the line is new. Few lines
 * differ between two versions of a page. If more differ than can be compared in time, everything between the
 * common beginning and the common end counts as new.
 */
export function unchangedLines(before: readonly string[], after: readonly string[]): Int32Array {
  const matches = new Int32Array(after.length).fill(-1);
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) matches[start] = start++;
  let same = 0;
  while (same < shorter - start && before.at(-1 - same) === after.at(-1 - same)) {
    same += 1;
    matches[after.length - same] = before.length - same;
  }
  const [old, present] = [before.slice(start, before.length - same), after.slice(start, after.length - same)];
  if (old.length === 0 || present.length === 0) return matches;
  let [oldLine, line] = [start, start];
  for (const { added, removed, count } of diffArrays(old, present, { maxEditLength: MAX_EDITS }) ?? []) {
    if (!added && !removed) for (let at = 0; at < count; at += 1) matches[line + at] = oldLine + at;
    if (!added) oldLine += count;
    if (!removed) line += count;
  }
  return matches;
}

/** Comparing takes time with the square of the differing lines: this many take some 50 ms. */
const MAX_EDITS = 500;
