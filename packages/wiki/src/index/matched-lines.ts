import { fold, termsOf } from './words.ts';
import { type Clause, looseClauses } from './words-query.ts';

/** A line of a page, 1-based. What is very long is cut around the match. */
export interface Line {
  line: number;
  text: string;
}

/** Tells whether a line is worth showing: 0 not at all, more is better. `near` is where in it. */
export type LineTest = (line: string) => { weight: number; near: number };

/** The best lines of a text, in their order, with `contextLines` on each side. */
export function matchedLines(text: string, test: LineTest, contextLines: number): Line[] {
  const lines = text.split(/\r?\n/);
  const found: { at: number; weight: number; near: number }[] = [];
  for (const [at, line] of lines.entries()) {
    const { weight, near } = test(line);
    if (weight > 0) found.push({ at, weight, near });
  }
  found.sort((a, b) => b.weight - a.weight || a.at - b.at);
  const shown = new Map<number, number>();
  for (const { at, near } of found.slice(0, mostMatches)) {
    for (let line = at - contextLines; line <= at + contextLines; line++) {
      if (line >= 0 && line < lines.length && !shown.has(line)) shown.set(line, 0);
    }
    shown.set(at, near);
  }
  return [...shown]
    .sort(([a], [b]) => a - b)
    .map(([at, near]) => ({ line: at + 1, text: clip(lines[at] ?? '', near) }));
}

/** Weighs a line by how many different words of the query it holds. */
export function wordsTest(clauses: readonly Clause[]): LineTest {
  const wanted = looseClauses(clauses);
  return (line) => {
    const terms = termsOf(line);
    const held = wanted.filter((clause) => holds(terms, clause));
    const [first] = held;
    const near = first === undefined ? -1 : fold(line).indexOf(first.terms[0] ?? '');
    return { weight: held.length, near: Math.max(0, near) };
  };
}

/** Whether the terms of a clause stand side by side among those of a text. */
function holds(terms: readonly string[], clause: Clause): boolean {
  return terms.some((_, at) => standsAt(terms, at, clause));
}

export function standsAt(terms: readonly string[], at: number, { terms: wanted, prefix }: Clause): boolean {
  if (at + wanted.length > terms.length) return false;
  return wanted.every((term, offset) => {
    const there = terms[at + offset] ?? '';
    return prefix && offset === wanted.length - 1 ? there.startsWith(term) : there === term;
  });
}

const mostMatches = 5;
const longestLine = 300;

function clip(line: string, near: number): string {
  if (line.length <= longestLine) return line;
  const start = Math.max(0, Math.min(near - longestLine / 3, line.length - longestLine));
  const cut = line.slice(start, start + longestLine).toWellFormed();
  return `${start > 0 ? '…' : ''}${cut}${start + longestLine < line.length ? '…' : ''}`;
}
