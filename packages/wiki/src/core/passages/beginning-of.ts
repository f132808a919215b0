/**
 * The beginning of a text that fits into so many bytes of JSON, up to the end of a sentence; without one up to
 * the end of a word, and then of a character.
 */
export function beginningOf(text: string, budget: number): string {
  const most = charactersThatFit(text, budget - Buffer.byteLength(MARK));
  if (most <= 0) return '';
  const part = text
    .slice(0, most)
    .toWellFormed()
    .replace(/\ufffd$/, '');
  const end = lastEnd(part, SENTENCE_END) || lastEnd(part, WORD_END) || part.length;
  return `${part.slice(0, end).trimEnd()}${MARK}`;
}

const MARK = '…';
const SENTENCE_END = /[.!?…]["'”’)\]*_]*(?=\s)|[。！？]|\n/gu;
const WORD_END = /\S(?=\s)/gu;

function lastEnd(text: string, pattern: RegExp): number {
  let end = 0;
  for (const match of text.matchAll(pattern)) end = match.index + match[0].length;
  return end;
}

function charactersThatFit(text: string, budget: number): number {
  let [least, most] = [0, Math.min(text.length, Math.max(0, budget))];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    const bytes = Buffer.byteLength(JSON.stringify(text.slice(0, middle))) - 2;
    if (bytes <= budget) least = middle;
    else most = middle - 1;
  }
  return least;
}
