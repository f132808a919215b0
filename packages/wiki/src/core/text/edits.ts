import { lineCounter } from './lines.ts';
import { type NearestLine, nearestLine } from './nearest-line.ts';
import { lineEndingOf, withLineEnding } from './text-encoding.ts';

export interface Edit {
  old_string: string;
  new_string: string;
  replace_all?: boolean | undefined;
}

export type EditProblem =
  | { kind: 'no_match'; nearest: NearestLine | null }
  /** `lines` are the first few, 1-based, after the edits before this one. */
  | { kind: 'ambiguous_match'; count: number; lines: number[] }
  | { kind: 'empty' }
  /** Half of a surrogate pair in either string: it cannot be stored. */
  | { kind: 'not_text' }
  | { kind: 'too_large' };

export type EditOutcome =
  | { ok: true; text: string; replaced: number }
  /** `edit` is the index of the edit that failed. */
  | { ok: false; edit: number; problem: EditProblem };

/** Replaces literally, each edit on what the one before left. The first that cannot be applied fails all. */
export function applyEdits(text: string, edits: readonly Edit[], maxCharacters: number): EditOutcome {
  let present = text;
  let replaced = 0;
  for (const [index, edit] of edits.entries()) {
    const outcome = applyEdit(present, edit, maxCharacters);
    if ('kind' in outcome) return { ok: false, edit: index, problem: outcome };
    present = outcome.text;
    replaced += outcome.replaced;
  }
  return { ok: true, text: present, replaced };
}

/** The text with an addition that begins on its own line and ends with a line ending, in the page's own. */
export function appendText(text: string, addition: string): string {
  const ending = lineEndingOf(text);
  const added = withLineEnding(addition, ending);
  const before = text === '' || text.endsWith('\n') ? '' : ending;
  const after = added === '' || added.endsWith('\n') ? '' : ending;
  return added === '' ? text : text + before + added + after;
}

const linesShown = 20;

/**
 * Matches as if all line endings were line feeds, so that a caller need not know the page's own; what is not
 * replaced keeps its bytes.
 */
function applyEdit(
  text: string,
  { old_string, new_string, replace_all = false }: Edit,
  maxCharacters: number,
): { text: string; replaced: number } | EditProblem {
  if (old_string === '') return { kind: 'empty' };
  if (!old_string.isWellFormed() || !new_string.isWellFormed()) return { kind: 'not_text' };
  const page = text.replaceAll('\r\n', '\n');
  const wanted = old_string.replaceAll('\r\n', '\n');
  const found = findAll(page, wanted);
  if (found.length === 0) return { kind: 'no_match', nearest: nearestLine(page, wanted) };
  const count = replace_all ? found.length : countSeparately(page, wanted, found);
  if (count > 1 && !replace_all) {
    return { kind: 'ambiguous_match', count, lines: found.slice(0, linesShown).map(lineCounter(page)) };
  }
  const replacement = withLineEnding(new_string, lineEndingOf(text));
  if (text.length + found.length * (replacement.length - wanted.length) > maxCharacters) {
    return { kind: 'too_large' };
  }
  const offsetIn = offsetsBefore(text);
  const pieces: string[] = [];
  let kept = 0;
  for (const start of found) {
    pieces.push(text.slice(kept, offsetIn(start)), replacement);
    kept = offsetIn(start + wanted.length);
  }
  return { text: pieces.join('') + text.slice(kept), replaced: found.length };
}

function findAll(page: string, wanted: string): number[] {
  const found: number[] = [];
  for (let at = page.indexOf(wanted); at !== -1; at = page.indexOf(wanted, at + wanted.length))
    found.push(at);
  return found;
}

/** `aa` stands in `aaa` once, but at two places: one that overlaps the only match makes it ambiguous too. */
function countSeparately(page: string, wanted: string, found: readonly number[]): number {
  const [only] = found;
  if (found.length !== 1 || only === undefined) return found.length;
  return page.indexOf(wanted, only + 1) === -1 ? 1 : 2;
}

/** Maps offsets in the text with line feeds only, asked for in ascending order, to offsets in the text itself. */
function offsetsBefore(text: string): (offset: number) => number {
  let returns = 0;
  let next = text.indexOf('\r\n');
  return (offset) => {
    while (next !== -1 && next - returns < offset) {
      returns += 1;
      next = text.indexOf('\r\n', next + 2);
    }
    return offset + returns;
  };
}
