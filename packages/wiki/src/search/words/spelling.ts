import type { Steps } from '../../scheduling/in-turns.ts';

/** The look-ups in the list of all words that a search may still make, whatever it asks for. */
export interface Effort {
  left: number;
}

/**
 * The words in a sorted list that differ from `term` by one letter: left out, added, changed or swapped with
 * its neighbour. Looks them up letter by letter, as far as the effort allows, and uses it up.
 */
export function* similarWords(
  term: string,
  wordFrom: (word: string) => string | undefined,
  effort: Effort,
): Steps<Set<string>> {
  const letters = [...term];
  const found = new Set<string>();
  let lookups = 0;
  const next = (from: string) => {
    effort.left -= 1;
    lookups += 1;
    return wordFrom(from);
  };
  const add = (word: string) => {
    if (word !== term && next(word) === word) found.add(word);
  };

  for (let at = 0; at <= letters.length && effort.left > 0; at += 1) {
    const before = letters.slice(0, at).join('');
    const rest = letters.slice(at).join('');
    const [first = '', second = '', ...more] = letters.slice(at);
    const afterFirst = `${second}${more.join('')}`;
    if (at < letters.length) add(`${before}${afterFirst}`);
    if (at < letters.length - 1) add(`${before}${second}${first}${more.join('')}`);
    yield* addLetters(before, at < letters.length ? [rest, afterFirst] : [rest]);
  }
  return found;

  /** Tries each letter that comes after `before` in a word of the list. */
  function* addLetters(before: string, ends: readonly string[]): Steps<void> {
    for (let word = next(before); word?.startsWith(before) && effort.left > 0; ) {
      const letter = String.fromCodePoint(word.codePointAt(before.length) ?? 0);
      if (word !== before) for (const end of ends) add(`${before}${letter}${end}`);
      word = next(word === before ? `${before}\0` : `${before}${letter}${AFTER_ALL}`);
      if (lookups < LOOKUPS_AT_ONCE) continue;
      lookups = 0;
      yield;
    }
  }
}

/** Not a letter, and sorts after every one. */
const AFTER_ALL = '\u{10ffff}';
/** Takes about a millisecond. */
const LOOKUPS_AT_ONCE = 200;

/** True if the word may be misspelt: it consists of letters and is neither very short nor very long. */
export function canBeMisspelt(term: string): boolean {
  return term.length > 2 && term.length < 34 && /^[\p{L}\p{M}]+$/u.test(term);
}
