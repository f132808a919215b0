/**
 * The words of a text as the search of a static site compares them: without case and accents. What is written without
 * blanks between words is cut into pairs of characters.
 */
export function wordsOf(text: string): string[] {
  return (fold(text).match(RUNS) ?? []).flatMap((run) =>
    UNSPACED.test(run) ? pairsOf(run) : run.slice(0, MAX),
  );
}

/** The letters by which words are spread over files. All words with the same beginning of two letters have the same. */
export function keyOf(word: string): string {
  const [ascii] = /^[a-z0-9]{1,2}/.exec(word) ?? [];
  return ascii ?? `~${((word.codePointAt(0) ?? 0) >> 6).toString(16).padStart(4, '0')}`;
}

/** The settings of every index. Its texts are words with blanks between them. */
export const INDEX_OPTIONS = {
  fields: ['title', 'text'],
  tokenize: (text: string) => text.split(' '),
  processTerm: (word: string) => word,
};

/** The runs of a text, words and what is between them, in order. */
export function runsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}]+/gu) ?? [];
}

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .normalize('NFKC')
    .toLowerCase();
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

const SCRIPTS = '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}';
const UNSPACED = new RegExp(`^[${SCRIPTS}]`, 'u');
const RUNS = new RegExp(`[${SCRIPTS}]+|(?:(?![${SCRIPTS}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');
const MAX = 64;
