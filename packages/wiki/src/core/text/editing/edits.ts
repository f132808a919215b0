import { atOnce, type Steps } from '../../../scheduling/in-turns.ts';
import { lineCounter } from '../lines.ts';
import { lineEndingOf, withLineEnding } from '../text-encoding.ts';
import type { Splice } from '../text-runs.ts';
import { textFinder } from './find-text.ts';
import { type NearestLine, nearestLineSteps } from './nearest-line.ts';

export interface Edit {
  old_string: string;
  new_string: string;
  replace_all?: boolean | undefined;
}

export type EditProblem =
  | { kind: 'no_match'; nearest: NearestLine | null }
  /** `lines` are the first few matching lines, 1-based, after the earlier edits. */
  | { kind: 'ambiguous_match'; count: number; lines: number[] }
  | { kind: 'empty' }
  /** One of the strings contains half of a surrogate pair, which cannot be stored. */
  | { kind: 'not_text' }
  | { kind: 'too_large' }
  /** The edits up to this one would replace more than is allowed at once. */
  | { kind: 'too_many'; most: number };

export type EditOutcome =
  /** `splices`: the parts that each edit replaced in the text that the previous edits left. */
  | { ok: true; text: string; replaced: number; splices: Splice[][] }
  /** `edit` is the index of the edit that failed. */
  | { ok: false; edit: number; problem: EditProblem };

/**
 * Replaces literally. Each edit works on the result of the one before. If one cannot be applied, all fail.
 */
export function applyEdits(text: string, edits: readonly Edit[], maxCharacters: number): EditOutcome {
  return atOnce(editSteps(text, edits, maxCharacters));
}

/** The same in steps, for a page of any size and many edits, which take up to a second. */
export function* editSteps(text: string, edits: readonly Edit[], maxCharacters: number): Steps<EditOutcome> {
  let present = text;
  let replaced = 0;
  const splices: Splice[][] = [];
  for (const [index, edit] of edits.entries()) {
    const outcome = yield* applyEdit(present, edit, maxCharacters);
    yield;
    if ('kind' in outcome) return { ok: false, edit: index, problem: outcome };
    present = outcome.text;
    replaced += outcome.splices.length;
    splices.push(outcome.splices);
    if (replaced > MAX_REPLACED) {
      return { ok: false, edit: index, problem: { kind: 'too_many', most: MAX_REPLACED } };
    }
  }
  return { ok: true, text: present, replaced, splices };
}

/** Appends text that begins on its own line and ends with a line ending, in the page's own style. */
export function appendText(text: string, addition: string): string {
  const ending = lineEndingOf(text);
  const added = withLineEnding(addition, ending);
  const before = text === '' || text.endsWith('\n') ? '' : ending;
  const after = added === '' || added.endsWith('\n') ? '' : ending;
  return added === '' ? text : text + before + added + after;
}

const linesShown = 20;

/**
 * Matches as if all line endings were line feeds, so that a caller need not know the page's own. Unreplaced
 * text keeps its bytes.
 */
function* applyEdit(
  text: string,
  { old_string, new_string, replace_all = false }: Edit,
  maxCharacters: number,
): Steps<{ text: string; splices: Splice[] } | EditProblem> {
  if (old_string === '') return { kind: 'empty' };
  if (!old_string.isWellFormed() || !new_string.isWellFormed()) return { kind: 'not_text' };
  const page = text.replaceAll('\r\n', '\n');
  const wanted = old_string.replaceAll('\r\n', '\n');
  const find = textFinder(wanted);
  const found = yield* findAll(page, wanted.length, find);
  if (found.length > MAX_REPLACED) return { kind: 'too_many', most: MAX_REPLACED };
  if (found.length === 0) return { kind: 'no_match', nearest: yield* nearestLineSteps(page, wanted) };
  const count = replace_all ? found.length : countSeparately(page, found, find);
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
  const splices: Splice[] = [];
  for (const [place, at] of found.entries()) {
    if (place % PLACES_AT_ONCE === PLACES_AT_ONCE - 1) yield;
    const [start, end] = [offsetIn(at), offsetIn(at + wanted.length)];
    pieces.push(text.slice(kept, start), replacement);
    splices.push({ start, end, length: replacement.length });
    kept = end;
  }
  return { text: pieces.join('') + text.slice(kept), splices };
}

/**
 * The limit for replacements: otherwise a call could scan a page a hundred times and replace each of its two
 * million characters.
 */
const MAX_REPLACED = 200_000;

/** Takes about a millisecond. */
const PLACES_AT_ONCE = 5_000;

type Find = ReturnType<typeof textFinder>;

function* findAll(page: string, length: number, find: Find): Steps<number[]> {
  const found: number[] = [];
  for (let at = find(page); at !== -1; at = find(page, at + length)) {
    found.push(at);
    if (found.length > MAX_REPLACED) break;
    if (found.length % PLACES_AT_ONCE === 0) yield;
  }
  return found;
}

/**
 * Non-overlapping matches count once: `aa` occurs in `aaa` once, but at two positions. An overlapping match
 * makes the only match ambiguous too.
 */
function countSeparately(page: string, found: readonly number[], find: Find): number {
  const [only] = found;
  if (found.length !== 1 || only === undefined) return found.length;
  return find(page, only + 1) === -1 ? 1 : 2;
}

/**
 * Maps offsets in the text with line feeds only to offsets in the text itself. They must be requested in
 * ascending order.
 */
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
