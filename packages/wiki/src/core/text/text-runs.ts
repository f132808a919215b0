import type { Link } from './markdown/markdown.ts';

/**
 * A part of a text and the tree path, before the change, of the page from which it comes; null if the change
 * brings it.
 */
export interface Run {
  length: number;
  from: string | null;
}

/** A replaced part of a text, in the text's own offsets, and the length of its replacement. */
export interface Splice {
  start: number;
  end: number;
  length: number;
}

/** A text that is unchanged. Its length is never needed. */
export function wholeText(from: string): Run[] {
  return [{ length: Number.POSITIVE_INFINITY, from }];
}

/**
 * The runs of a text after parts of it, in order, are replaced: by text of the change, or by other words for
 * the same text, which keep their page.
 */
export function replaceRuns(
  runs: readonly Run[],
  splices: readonly Splice[],
  by: 'new text' | 'other words',
): Run[] {
  const replaced: Run[] = [];
  const rest = new Reader(runs);
  let at = 0;
  for (const { start, end, length } of splices) {
    for (const run of rest.take(start - at)) add(replaced, run);
    const [first = replaced.at(-1)] = rest.take(end - start);
    add(replaced, { length, from: by === 'new text' ? null : (first?.from ?? null) });
    at = end;
  }
  for (const run of rest.take(Number.POSITIVE_INFINITY)) add(replaced, run);
  return replaced;
}

/** The runs between two offsets. */
export function cutRuns(runs: readonly Run[], start: number, end: number): Run[] {
  const reader = new Reader(runs);
  reader.take(start);
  return reader.take(end - start);
}

/** Runs one after another. */
export function joinRuns(...parts: readonly (readonly Run[])[]): Run[] {
  const joined: Run[] = [];
  for (const run of parts.flat()) add(joined, run);
  return joined;
}

/** The pages from which a text comes. */
export function pagesOfRuns(runs: readonly Run[]): string[] {
  return [...new Set(runs.flatMap(({ from }) => from ?? []))];
}

/** For each link of a text, in order, the page from which it comes; null for a new link. */
export function originsOf(
  links: readonly Pick<Link, 'start' | 'end'>[],
  runs: readonly Run[],
): (string | null)[] {
  let index = 0;
  let end = runs[0]?.length ?? 0;
  return links.map((link) => {
    while (link.start >= end && index < runs.length) {
      index += 1;
      end += runs[index]?.length ?? 0;
    }
    return link.end <= end ? (runs[index]?.from ?? null) : null;
  });
}

class Reader {
  readonly #runs: readonly Run[];
  #index = 0;
  #used = 0;

  constructor(runs: readonly Run[]) {
    this.#runs = runs;
  }

  take(length: number): Run[] {
    const taken: Run[] = [];
    for (let left = length; left > 0; ) {
      const run = this.#runs[this.#index];
      if (run === undefined) break;
      const part = Math.min(left, run.length - this.#used);
      taken.push({ length: part, from: run.from });
      left -= part;
      this.#used += part;
      if (this.#used < run.length) break;
      this.#index += 1;
      this.#used = 0;
    }
    return taken;
  }
}

/** Adjacent runs of one page become one: a link that a replacement touches may still belong to that page. */
function add(runs: Run[], run: Run): void {
  const last = runs.at(-1);
  if (run.length === 0) return;
  if (last !== undefined && last.from === run.from) last.length += run.length;
  else runs.push({ ...run });
}
