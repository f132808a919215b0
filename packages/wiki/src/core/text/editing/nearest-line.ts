import { atOnce, type Steps } from '../../../scheduling/in-turns.ts';
import { textFinder } from './find-text.ts';
import { similarityTo } from './similarity.ts';

export interface NearestLine {
  /** 1-based. */
  line: number;
  /** At most 200 characters. */
  text: string;
}

/** Below this similarity, a line has little in common with the wanted text. */
const leastAlike = 0.35;
/** Only this many characters of a line are compared, which bounds the cost by the size of the page. */
const compared = 500;
const shown = 200;
/** Takes about a millisecond if the lines are long. */
const LINES_AT_ONCE = 100;

/**
 * The line of a page that is most similar to a text that the page lacks, or null. If several lines are
 * wanted, searches for the first of them that the page lacks, since that one caused the failure. Both texts
 * have line feeds only.
 */
export function nearestLine(page: string, wanted: string): NearestLine | null {
  return atOnce(nearestLineSteps(page, wanted));
}

/** The same in steps, for a page of any size, which takes up to half a second. */
export function* nearestLineSteps(page: string, wanted: string): Steps<NearestLine | null> {
  const lines = page.split('\n');
  yield;
  const likeness = similarityTo(forComparison(yield* lineThatFails(page, lines, wanted)));
  let best: NearestLine | null = null;
  let bestLikeness = leastAlike;
  for (const [index, text] of lines.entries()) {
    if (index % LINES_AT_ONCE === 0) yield;
    const alike = likeness(forComparison(text), bestLikeness);
    if (alike < bestLikeness || (best !== null && alike === bestLikeness)) continue;
    best = { line: index + 1, text: clip(text) };
    bestLikeness = alike;
  }
  return best;
}

function* lineThatFails(page: string, lines: readonly string[], wanted: string): Steps<string> {
  const wantedLines = wanted.split('\n');
  yield;
  const whole = new Set(lines);
  yield;
  const failing = wantedLines.find((line, index) => {
    if (line.trim() === '' || whole.has(line)) return false;
    const mayBePart = index === 0 || index === wantedLines.length - 1;
    return !(mayBePart && textFinder(line)(page) !== -1);
  });
  return failing ?? wantedLines.find((line) => line.trim() !== '') ?? wanted;
}

function forComparison(line: string): string {
  return line.slice(0, compared).trim().toLowerCase();
}

function clip(line: string): string {
  const text = line.trimEnd();
  if (text.length <= shown) return text;
  return `${text.slice(0, shown - 3).replace(/[\ud800-\udbff]$/, '')}...`;
}
