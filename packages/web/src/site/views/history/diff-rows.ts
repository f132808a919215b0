import { diffWordsWithSpace } from 'diff';

/** A line on each side, or a gap where lines that did not change are left out. */
export type DiffRow = { old: DiffLine | null; new: DiffLine | null; changed?: boolean } | 'gap';

export interface DiffLine {
  number: number;
  pieces: readonly Piece[];
}

export interface Piece {
  text: string;
  changed: boolean;
}

/**
 * The rows of a unified diff: new lines stand beside the lines that they replace, with the changed words
 * marked.
 */
export function diffRows(diff: string): DiffRow[] {
  const rows: DiffRow[] = [];
  const words = new WordComparison();
  let removed: Numbered[] = [];
  let added: Numbered[] = [];
  let oldNumber = 0;
  let newNumber = 0;
  const flush = () => {
    rows.push(...paired(removed, added, words));
    removed = [];
    added = [];
  };
  for (const line of diff.split('\n')) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk !== null) {
      flush();
      oldNumber = Number(hunk[1]);
      newNumber = Number(hunk[3]);
      if (rows.length > 0) rows.push('gap');
    } else if (oldNumber === 0 && newNumber === 0) {
      // The names of the files, before the first hunk.
    } else if (line.startsWith('-')) removed.push({ number: oldNumber++, text: line.slice(1) });
    else if (line.startsWith('+')) added.push({ number: newNumber++, text: line.slice(1) });
    else if (line.startsWith(' ')) {
      flush();
      const text = [{ text: line.slice(1), changed: false }];
      rows.push({ old: { number: oldNumber++, pieces: text }, new: { number: newNumber++, pieces: text } });
    }
  }
  flush();
  return rows;
}

interface Numbered {
  number: number;
  text: string;
}

function paired(removed: readonly Numbered[], added: readonly Numbered[], words: WordComparison): DiffRow[] {
  const count = Math.max(removed.length, added.length);
  return Array.from({ length: count }, (_, index): DiffRow => {
    const before = removed[index];
    const after = added[index];
    if (before === undefined || after === undefined) {
      return { old: asLine(before), new: asLine(after), changed: true };
    }
    const [old, now] = words.compare(before.text, after.text);
    return { old: { ...before, pieces: old }, new: { ...after, pieces: now }, changed: true };
  });
}

function asLine(line: Numbered | undefined): DiffLine | null {
  return line === undefined ? null : { number: line.number, pieces: [{ text: line.text, changed: false }] };
}

/** Compares words within bounds, as the time grows with the square of the words that differ. */
class WordComparison {
  #stepsLeft = MAX_STEPS;

  /**
   * Both lines in pieces. Lines with little in common are shown whole, as marks everywhere would be useless, and so are
   * those whose comparison would take long.
   */
  compare(before: string, after: string): [Piece[], Piece[]] {
    const whole: [Piece[], Piece[]] = [[{ text: before, changed: false }], [{ text: after, changed: false }]];
    if (before.length + after.length > MAX_CHARACTERS) return whole;
    const maxEditLength = Math.floor(Math.sqrt(Math.min(MAX_STEPS_OF_LINE, this.#stepsLeft)));
    const parts = diffWordsWithSpace(before, after, { maxEditLength });
    const edits = parts?.reduce((sum, { added, removed, count }) => sum + (added || removed ? count : 0), 0);
    this.#stepsLeft -= (edits ?? maxEditLength) ** 2;
    if (parts === undefined) return whole;
    const kept = parts.filter(({ added, removed }) => !added && !removed).map(({ value }) => value);
    if (kept.join('').trim().length * 3 < Math.max(before.length, after.length)) return whole;
    const piece = ({ value, added, removed }: (typeof parts)[number]): Piece => ({
      text: value,
      changed: added || removed,
    });
    return [
      parts.filter(({ added }) => !added).map(piece),
      parts.filter(({ removed }) => !removed).map(piece),
    ];
  }
}

const MAX_CHARACTERS = 8_000;
/** A step takes about 100 ns. */
const MAX_STEPS_OF_LINE = 160_000;
const MAX_STEPS = 1_000_000;
