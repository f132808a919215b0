import { similarityTo } from './similarity.ts';

export interface NearestLine {
  /** 1-based. */
  line: number;
  /** At most 200 characters. */
  text: string;
}

/** Below this, a line has little to do with what was wanted. */
const leastAlike = 0.35;
/** Longer lines are compared by their beginning, which bounds the cost by the size of the page. */
const compared = 500;
const shown = 200;

/**
 * The line of a page that is most like text which it does not hold; null where none is. Of several wanted lines
 * it looks for the first that the page lacks, since that is the one that went wrong. Both with line feeds only.
 */
export function nearestLine(page: string, wanted: string): NearestLine | null {
  const lines = page.split('\n');
  const likeness = similarityTo(forComparison(lineThatFails(page, lines, wanted)));
  let best: NearestLine | null = null;
  let bestLikeness = leastAlike;
  for (const [index, text] of lines.entries()) {
    const alike = likeness(forComparison(text), bestLikeness);
    if (alike < bestLikeness || (best !== null && alike === bestLikeness)) continue;
    best = { line: index + 1, text: clip(text) };
    bestLikeness = alike;
  }
  return best;
}

function lineThatFails(page: string, lines: readonly string[], wanted: string): string {
  const wantedLines = wanted.split('\n');
  const whole = new Set(lines);
  const failing = wantedLines.find((line, index) => {
    if (line.trim() === '' || whole.has(line)) return false;
    const mayBePart = index === 0 || index === wantedLines.length - 1;
    return !(mayBePart && page.includes(line));
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
