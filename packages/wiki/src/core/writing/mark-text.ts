import { randomBytes } from 'node:crypto';

/**
 * Puts the text of pages on lines of its own, between lines that mark its beginning and end. These lines
 * contain a random number for this one answer, so a page cannot contain its own end mark: everything between
 * them is data, whatever it says.
 */
export function markText(text: string): string {
  const mark = randomBytes(6).toString('hex');
  return `[page text ${mark} begins]\n${text.replace(/\n$/, '')}\n[${mark} ends]`;
}
