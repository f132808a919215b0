/**
 * A text without its case, for comparing names. JavaScript lowers Σ to ς or σ depending on what follows, so
 * `ΟΔΟΣ` and the beginning of `ΟΔΟΣ.md` would differ.
 */
export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.includes('ς') ? lower.replaceAll('ς', 'σ') : lower;
}
