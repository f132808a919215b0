/**
 * The Unicode normal form of a text. Sorting combining marks takes time in the square of their number,
 * minutes for a page of them. So a run of more than 30 marks is sorted piece by piece: the Stream-Safe Text
 * Format (UAX 15) allows no longer runs either.
 */
export function normalForm(text: string, form: 'NFC' | 'NFKC' | 'NFKD' = 'NFC'): string {
  if (text.length <= MAX_UNCHECKED) return text.normalize(form);
  const pieces: string[] = [];
  let start = 0;
  for (const { index, 0: run } of text.matchAll(runOfMarks)) {
    pieces.push(text.slice(start, index + run.length).normalize(form));
    start = index + run.length;
  }
  return pieces.join('') + text.slice(start).normalize(form);
}

const MAX_MARKS = 30;
/** This many marks take a tenth of a millisecond, and nearly every text is shorter. */
const MAX_UNCHECKED = 500;
// The two halfwidth marks of Japanese become combining marks in compatibility forms.
const runOfMarks = new RegExp(`[\\p{M}\\uff9e\\uff9f]{${MAX_MARKS}}`, 'gu');
