/**
 * The text without the characters at its end that are in `characters`. `replace(/[...]+$/, '')` does the same
 * in time that grows with the square of a run of them in the middle.
 */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
