/** A run of `*`, `_` or `~` that can begin or end emphasis. */
interface Delimiter {
  character: string;
  /** The span of the part that no emphasis has used yet. */
  start: number;
  end: number;
  /** The length as written, and the length of the part that is left. */
  length: number;
  left: number;
  opens: boolean;
  closes: boolean;
}

/**
 * A line without the marks of emphasis and strikethrough, as CommonMark and GitHub pair them.
 *
 * @param outside The character that a neighbouring run sees in place of this one.
 */
export function withoutEmphasis(text: string, outside: (character: string) => string): string {
  const removed = new Set<number>();
  const open: Delimiter[] = [];
  /** How far down no opener can match a closer of this kind: keeps the search linear. */
  const bottoms = new Map<string, number>();
  for (const delimiter of delimitersOf(text, outside)) {
    while (delimiter.closes && delimiter.left > 0) {
      const kind = `${delimiter.character}${delimiter.opens}${delimiter.left % 3}${delimiter.length}`;
      const bottom = bottoms.get(kind) ?? 0;
      const at = open.findLastIndex((opener, place) => place >= bottom && matches(opener, delimiter));
      const opener = open[at];
      if (opener === undefined) {
        bottoms.set(kind, open.length);
        break;
      }
      for (const place of pair(opener, delimiter)) removed.add(place);
      open.length = opener.left === 0 ? at : at + 1;
      for (const [key, place] of bottoms) bottoms.set(key, Math.min(place, open.length));
    }
    if (delimiter.opens && delimiter.left > 0) open.push(delimiter);
  }
  return text
    .split('')
    .filter((_, at) => !removed.has(at))
    .join('');
}

/** Takes the marks of one emphasis from both runs and returns their places. */
function pair(opener: Delimiter, closer: Delimiter): number[] {
  const count = Math.min(2, opener.left, closer.left);
  const marks = Array.from({ length: count }, (_, mark) => [opener.end - 1 - mark, closer.start + mark]);
  opener.end -= count;
  opener.left -= count;
  closer.start += count;
  closer.left -= count;
  return marks.flat();
}

function matches(opener: Delimiter, closer: Delimiter): boolean {
  if (opener.character !== closer.character) return false;
  if (opener.character === '~') return opener.length === closer.length;
  // The rule of three, by what is left of both, as in micromark.
  if (!opener.closes && !closer.opens) return true;
  return closer.left % 3 === 0 || (opener.left + closer.left) % 3 !== 0;
}

function* delimitersOf(text: string, outside: (character: string) => string): Generator<Delimiter> {
  for (const { 0: run, index: start } of text.matchAll(/\*+|_+|~+/g)) {
    const character = run.charAt(0);
    if (character === '~' && run.length > 2) continue;
    const before = kindOf(outside([...text.slice(Math.max(0, start - 2), start)].at(-1) ?? ' '));
    const after = kindOf(outside([...text.slice(start + run.length, start + run.length + 2)][0] ?? ' '));
    const leans = {
      left: after !== 'space' && (after === 'letter' || before !== 'letter'),
      right: before !== 'space' && (before === 'letter' || after !== 'letter'),
    };
    const isWord = character === '_';
    yield {
      character,
      start,
      end: start + run.length,
      length: run.length,
      left: run.length,
      opens: leans.left && (!isWord || !leans.right || before === 'mark'),
      closes: leans.right && (!isWord || !leans.left || after === 'mark'),
    };
  }
}

function kindOf(character: string): 'space' | 'mark' | 'letter' {
  if (/\s/.test(character)) return 'space';
  return /[\p{P}\p{S}]/u.test(character) ? 'mark' : 'letter';
}
