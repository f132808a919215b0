/**
 * How search takes text apart. Words in scripts that write spaces are terms as they are, folded; a run of a
 * script that writes none becomes overlapping pairs of its characters, and the last character once more alone,
 * so that every part of the run can be found: `使用模板` gives `使用 用模 模板 板`.
 */

/** The terms of a run of text, in order. */
export interface Run {
  terms: string[];
  /** Of a script without spaces: the last term is then the last character alone. */
  dense: boolean;
}

/** All terms of a text, in order. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const [run] of fold(text).matchAll(runPattern)) pushTerms(run, terms);
  return terms;
}

export function runsOf(text: string): Run[] {
  return Array.from(fold(text).matchAll(runPattern), ([run]) => {
    const terms: string[] = [];
    pushTerms(run, terms);
    return { terms, dense: densePattern.test(run) };
  });
}

/**
 * Text as it is compared: compatibility forms unified (full-width letters, ligatures), lower case, and without
 * the accents and vowel points that people leave out when they type.
 */
export function fold(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(optionalMarks, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ');
}

/** The longest term that is kept whole: what is longer (encoded data, as a rule) is known by its beginning. */
const longestTerm = 64;

function pushTerms(run: string, terms: string[]): void {
  if (!densePattern.test(run)) {
    terms.push(run.length > longestTerm ? run.slice(0, longestTerm).toWellFormed() : run);
    return;
  }
  const characters = run.match(denseCharacter) ?? [];
  for (let at = 0; at < characters.length; at++) {
    terms.push(`${characters[at]}${characters[at + 1] ?? ''}`);
  }
}

const isAscii = /^[\0-\x7f]*$/;

// Accents of Latin, Greek and Cyrillic, vowel points of Hebrew and Arabic. The marks of other scripts are letters.
const optionalMarks = /[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u0655\u0670]/g;

const dense = String.raw`[[\p{L}\p{N}]&&[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u30fc]]\p{M}*`;
const densePattern = new RegExp(`^${dense}`, 'v');
const denseCharacter = new RegExp(dense, 'gv');
const runPattern = new RegExp(
  String.raw`[a-z0-9]+(?![\p{L}\p{N}\p{M}])|(?:${dense})+|(?:(?!${dense})[\p{L}\p{N}]\p{M}*)+|\p{Extended_Pictographic}`,
  'gv',
);
