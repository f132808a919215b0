/**
 * The words of a text as the search of a static site compares them: without case and accents. What is written without
 * blanks between words is cut into pairs of characters.
 */
export function wordsOf(text: string): string[] {
  return (fold(text).match(RUNS) ?? []).flatMap((run) =>
    UNSPACED.test(run) ? pairsOf(run) : run.slice(0, MAX),
  );
}

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
