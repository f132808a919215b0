/**
 * Characters that a reader does not see, or that reverse text: zero-width spaces, soft hyphens, fillers,
 * blanks that Unicode does not count as spaces, tags, direction controls. They make two names look the same,
 * or a name look like another kind of file. Some scripts and emoji need these characters: such uses are
 * matched first.
 */

export function hasHiddenCharacter(text: string): boolean {
  return withoutHiddenCharacters(text) !== text;
}

/** The text without hidden characters, except for those that scripts and emoji need. */
export function withoutHiddenCharacters(text: string): string {
  return text.replace(NEEDED_OR_HIDDEN, (match, hidden: string | undefined) =>
    hidden === undefined ? match : '',
  );
}

/** The text for comparison with other names: without any character that may be hidden, needed or not. */
export function withoutIgnorable(text: string): string {
  return text.replace(IGNORABLE, '');
}

/** A name in quotation marks for display in a message: hidden characters become visible. */
export function quoted(name: string, maxCharacters = 300): string {
  const cut = name.length > maxCharacters ? `${name.slice(0, maxCharacters).toWellFormed()}...` : name;
  return JSON.stringify(cut).replace(NEEDED_OR_HIDDEN, (match, hidden: string | undefined) =>
    hidden === undefined ? match : Array.from(hidden, escapeOf).join(''),
  );
}

function escapeOf(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** Blank characters of Braille, hieroglyphs (a whole and a half one), Khitan and musical notation. */
const BLANKS = '\\u2800\\u{13441}\\u{13442}\\u{16FE4}\\u{1D159}';
const HIDDEN = `[\\p{DI}\\p{Bidi_C}\\uFFF9-\\uFFFB${BLANKS}]`;
const IGNORABLE = new RegExp(HIDDEN, 'gu');

/** Scripts that join their letters, and need characters that prevent joining. */
const JOINED =
  '\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Nkoo}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}' +
  '\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Tibt}';

const NEEDED = [
  `(?<=[${JOINED}])[\\u200C\\u200D](?=[${JOINED}])`,
  '(?<=\\p{scx=Mong})[\\u180B-\\u180F]',
  '(?<=\\p{scx=Han})[\\uFE00-\\uFE02\\u{E0100}-\\u{E01EF}]',
  '(?<=\\p{ExtPict})\\uFE0F',
  '(?<=[0-9#*])\\uFE0F(?=\\u20E3)',
  '(?<=[\\p{ExtPict}\\p{EMod}\\uFE0F])\\u200D(?=\\p{ExtPict})',
  // Between words in Braille, and between signs in the other scripts.
  '(?<=[\\u2801-\\u28FF])\\u2800(?=[\\u2801-\\u28FF])',
  '(?<=[\\u{13000}-\\u{13440}])[\\u{13441}\\u{13442}](?=[\\u{13000}-\\u{13440}])',
  '(?<=[\\u{18B00}-\\u{18CFF}])\\u{16FE4}(?=[\\u{18B00}-\\u{18CFF}])',
];

const NEEDED_OR_HIDDEN = new RegExp(`${NEEDED.join('|')}|(${HIDDEN})`, 'gu');
