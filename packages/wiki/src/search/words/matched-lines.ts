import type { Pacer } from '../pacer.ts';
import { fold, termsOf } from './terms.ts';
import { type Clause, looseClauses } from './words-query.ts';

/** A line of a page, 1-based. A very long one is cut around the match. */
export interface Line {
  line: number;
  text: string;
}

/** Rates how well a line shows the match: 0 is not at all, more is better. `near` is the position in it. */
export type LineTest = (line: string) => { weight: number; near: number };

/** The best lines of a text, in their order, with `contextLines` on each side. */
export async function matchedLines(
  text: string,
  test: LineTest,
  contextLines: number,
  pacer: Pacer,
): Promise<Line[]> {
  const best: { line: number; start: number; weight: number; near: number }[] = [];
  for (let start = 0, line = 1; start <= text.length; line += 1) {
    if (pacer.isDue) await pacer.yieldIfDue();
    const end = endOfLine(text, start);
    const { weight, near } = test(lineAt(text, start));
    const place = best.findIndex((other) => other.weight < weight);
    if (weight > 0 && (place !== -1 || best.length < mostMatches)) {
      best.splice(place === -1 ? best.length : place, 0, { line, start, weight, near });
      if (best.length > mostMatches) best.pop();
    }
    start = end + 1;
  }
  const shown = new Map<number, { start: number; near: number }>();
  for (const { line, start, near } of best) {
    for (const around of linesAround(text, line, start, contextLines)) {
      if (!shown.has(around.line)) shown.set(around.line, { start: around.start, near: 0 });
    }
    shown.set(line, { start, near });
  }
  return [...shown]
    .sort(([a], [b]) => a - b)
    .map(([line, { start, near }]) => ({ line, text: clip(lineAt(text, start), near) }));
}

/** The lines before and after the one that begins at `start`, the same number on each side. */
function linesAround(text: string, line: number, start: number, count: number) {
  const around: { line: number; start: number }[] = [];
  for (let at = 1, from = start; at <= count && from > 0; at += 1) {
    from = from === 1 ? 0 : text.lastIndexOf('\n', from - 2) + 1;
    around.push({ line: line - at, start: from });
  }
  for (let at = 1, end = endOfLine(text, start); at <= count && end < text.length; at += 1) {
    around.push({ line: line + at, start: end + 1 });
    end = endOfLine(text, end + 1);
  }
  return around;
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.length : end;
}

function lineAt(text: string, start: number): string {
  const end = endOfLine(text, start);
  return text.slice(start, end < text.length && end > start && text[end - 1] === '\r' ? end - 1 : end);
}

/** Rates a line by the number of different query words that it contains. */
export function wordsTest(clauses: readonly Clause[]): LineTest {
  const wanted = looseClauses(clauses);
  const heldBy = clauseFinder(wanted);
  return (whole) => {
    const line = whole.slice(0, MAX_LINE_CHARACTERS);
    const folded = fold(line);
    const held = heldBy(line, folded);
    if (held.size === 0) return { weight: 0, near: 0 };
    const first = wanted.find((clause) => held.has(clause));
    return { weight: held.size, near: Math.max(0, folded.indexOf(first?.terms[0] ?? '')) };
  };
}

/**
 * Returns a function that finds the words of a query in a text, by their numbers: `words` are the variants of each.
 */
export function wordFinder(words: readonly (readonly Clause[])[]): (text: string) => ReadonlySet<number> {
  const heldBy = clauseFinder(words.flat());
  return (whole) => {
    const text = whole.slice(0, MAX_LINE_CHARACTERS);
    const held = heldBy(text, fold(text));
    const isHeld = (clauses: readonly Clause[]) => clauses.some((clause) => held.has(clause));
    return new Set(held.size === 0 ? [] : words.flatMap((clauses, word) => (isHeld(clauses) ? [word] : [])));
  };
}

/** Returns a function that finds the clauses that a text contains. */
function clauseFinder(wanted: readonly Clause[]): (text: string, folded: string) => ReadonlySet<Clause> {
  const mayHold = quickTest(wanted);
  const byFirst = Map.groupBy(
    wanted.filter(({ terms, prefix }) => terms.length > 1 || !prefix),
    ({ terms: [first] }) => first,
  );
  const beginnings = wanted.filter(({ terms, prefix }) => terms.length === 1 && prefix);
  return (text, folded) => {
    const held = new Set<Clause>();
    if (!mayHold(folded)) return held;
    const terms = termsOf(text);
    for (const [at, term] of terms.entries()) {
      for (const clauses of [byFirst.get(term) ?? [], beginnings]) {
        for (const clause of clauses) if (!held.has(clause) && standsAt(terms, at, clause)) held.add(clause);
      }
    }
    return held;
  };
}

/**
 * Tells without taking a line apart, which costs several times as much, that it contains no word. Most lines contain
 * none.
 */
function quickTest(wanted: readonly Clause[]): (folded: string) => boolean {
  // A long term may end in half a character.
  const firsts = [...new Set(wanted.map(({ terms: [first = ''] }) => first.replace(/\ufffd$/, '')))];
  return (folded) => firsts.some((first) => folded.includes(first));
}

export function standsAt(terms: readonly string[], at: number, { terms: wanted, prefix }: Clause): boolean {
  if (at + wanted.length > terms.length) return false;
  return wanted.every((term, offset) => {
    const there = terms[at + offset] ?? '';
    return prefix && offset === wanted.length - 1 ? there.startsWith(term) : there === term;
  });
}

/** Matches farther back in a very long line do not affect whether it is shown. */
const MAX_LINE_CHARACTERS = 50_000;
const mostMatches = 5;
const longestLine = 300;

function clip(line: string, near: number): string {
  if (line.length <= longestLine) return line;
  const start = Math.max(0, Math.min(near - longestLine / 3, line.length - longestLine));
  const cut = line.slice(start, start + longestLine).toWellFormed();
  return `${start > 0 ? '…' : ''}${cut}${start + longestLine < line.length ? '…' : ''}`;
}
