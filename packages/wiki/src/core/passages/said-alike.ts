import { foldCase } from '../text/fold-case.ts';
import { normalForm } from '../text/normal-form.ts';

/**
 * The words and signs of a passage, in their order: two passages say the same if theirs are equal. Left out is only what
 * changes nothing for a reader: case, white space, punctuation at the end of a word, quotation marks, brackets, emphasis,
 * quotes and list marks, and where links lead. Any other difference may be a contradiction, in whatever language.
 */
export function wordsSaid(text: string): string {
  // Nobody writes two paragraphs of this length that differ in their case alone.
  if (text.length > MAX_COMPARED) return text;
  const withoutMarks = text.replace(LINE_MARKS, '').replace(LINK_TARGET, ']').replace(WIKILINK_TARGET, '[[');
  const folded = foldCase(normalForm(withoutMarks));
  const said: string[] = [];
  for (const { 0: sign, groups, index } of folded.matchAll(SIGNS)) {
    if (groups?.silent !== undefined) continue;
    if (
      groups?.ending !== undefined &&
      !GOES_ON.test(folded.slice(index + sign.length, index + sign.length + 2))
    )
      continue;
    said.push(sign);
  }
  return said.join(' ');
}

const MAX_COMPARED = 20_000;
/** The marks of quotes, lists and headings. */
const LINE_MARKS = /^(?:[ \t]*(?:>|[-*+](?=\s)|#{1,6}(?=\s)))+/gm;
const LINK_TARGET = /\]\([^()\s]*\)/g;
const WIKILINK_TARGET = /\[\[[^[\]|\n]*\|/g;
const SIGNS =
  /[\p{L}\p{N}\p{M}]+|(?<ending>[.,;:!?…\p{Pd}]+)|(?<silent>[\s\p{Ps}\p{Pe}\p{Pi}\p{Pf}"'*_`。、，！？：；]+)|[^\p{L}\p{N}\p{M}.,;:!?…\p{Pd}\s\p{Ps}\p{Pe}\p{Pi}\p{Pf}"'*_`。、，！？：；]+/gu;
/** Before it a dash or a full stop says something, as in 1.5, -5 and --force. */
const GOES_ON = /^[^\s\p{Ps}\p{Pe}\p{Pi}\p{Pf}"'*_`]/u;
