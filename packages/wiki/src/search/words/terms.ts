import { normalForm } from '../../core/text/normal-form.ts';
import { atOnce, type Steps } from '../../scheduling/in-turns.ts';

/**
 * Splits text into terms for search. In scripts with spaces between words, words are terms, folded. A run of
 * a script without spaces becomes overlapping pairs of its characters, and the last character once more
 * alone, so that every part of the run can be found: `使用模板` becomes `使用 用模 模板 板`.
 */

/** The terms of a run of text, in order. */
export interface Run {
  terms: string[];
  /** Written without spaces: the last term is then the last character alone. */
  dense: boolean;
}

/** All terms of a text, in order. */
export function termsOf(text: string): string[] {
  return atOnce(termSteps(text));
}

/** The same in steps, for a text of any size, which takes up to half a second. */
export function* termSteps(text: string): Steps<string[]> {
  const terms: string[] = [];
  let stepEnd = TERMS_AT_ONCE;
  for (let start = 0; start < text.length; ) {
    const end = endOfPiece(text, start);
    for (const [run] of fold(text.slice(start, end)).matchAll(runPattern)) {
      yield* pushTerms(run, terms);
      if (terms.length >= MAX_TERMS) return terms;
      if (terms.length < stepEnd) continue;
      yield;
      stepEnd = terms.length + TERMS_AT_ONCE;
    }
    start = end;
    yield;
  }
  return terms;
}

/**
 * The end of the term at the end of a piece, or of the longest allowed piece. Text without such an end is not
 * a word, and folding can make it 18 times as long.
 */
function endOfPiece(text: string, start: number): number {
  if (text.length - start <= PIECE) return text.length;
  const from = start + PIECE;
  const end = text.slice(from, start + LONGEST_PIECE).search(noTerm);
  return end === -1 ? Math.min(text.length, start + LONGEST_PIECE) : from + end;
}

/** The number of characters that are folded at once, which takes a millisecond or so. */
const PIECE = 10_000;
const LONGEST_PIECE = 50_000;
const noTerm = /[\s\p{P}]/u;
/** The number of terms on a page in which every other character is a space. */
const MAX_TERMS = 1_000_000;

export function runsOf(text: string): Run[] {
  return Array.from(fold(text).matchAll(runPattern), ([run]) => {
    const terms: string[] = [];
    atOnce(pushTerms(run, terms));
    return { terms, dense: densePattern.test(run) };
  });
}

/**
 * Text in the form for comparison: compatibility forms unified (full-width letters, ligatures), lower case,
 * and without the accents and vowel points that people omit when they type.
 */
export function fold(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase();
  return normalForm(normalForm(text, 'NFKD').replace(optionalMarks, ''), 'NFKC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ');
}

/** The longest term that is kept whole. Longer ones (mostly encoded data) are kept by their beginning. */
const longestTerm = 64;

/** Takes some milliseconds. */
const TERMS_AT_ONCE = 1_000;

function* pushTerms(run: string, terms: string[]): Steps<void> {
  if (!densePattern.test(run)) {
    terms.push(run.length > longestTerm ? run.slice(0, longestTerm).toWellFormed() : run);
    return;
  }
  const characters = run.match(denseCharacter) ?? [];
  for (let at = 0; at < characters.length; at++) {
    terms.push(`${characters[at]}${characters[at + 1] ?? ''}`);
    if (at % TERMS_AT_ONCE === TERMS_AT_ONCE - 1) yield;
  }
}

/** True if a term comes from a run of a script without spaces. */
export function isDenseTerm(term: string): boolean {
  return densePattern.test(term);
}

const isAscii = /^[\0-\x7f]*$/;

// Accents of Latin, Greek and Cyrillic, and vowel points of Hebrew and Arabic. The marks of other scripts are
// letters.
const optionalMarks = /[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u0655\u0670]/g;

const dense = String.raw`[[\p{L}\p{N}]&&[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u30fc]]\p{M}*`;
const densePattern = new RegExp(`^${dense}`, 'v');
const denseCharacter = new RegExp(dense, 'gv');
const runPattern = new RegExp(
  String.raw`[a-z0-9]+(?![\p{L}\p{N}\p{M}])|(?:${dense})+|(?:(?!${dense})[\p{L}\p{N}]\p{M}*)+|\p{Extended_Pictographic}`,
  'gv',
);
