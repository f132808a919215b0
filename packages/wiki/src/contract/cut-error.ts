/**
 * The beginning of an error's text, at most `characters` long. A text of the wiki in it gets its end, a quotation mark or
 * the mark of `mark-text.ts`, or is left out as a whole: so what follows stands outside of it.
 */
export function cutError(text: string, characters: number): string {
  if (text.length <= characters) return text;
  for (const {
    0: { length },
    1: mark,
    index,
  } of text.matchAll(OTHERS_TEXT)) {
    if (index >= characters) break;
    if (index + length <= characters) continue;
    const [begin, end] =
      mark === undefined ? ['"', '"'] : [`[page text ${mark} begins]\n`, `\n[${mark} ends]`];
    if (index + begin.length + end.length > characters) return text.slice(0, index);
    const shown = text.slice(0, characters - end.length);
    return (mark === undefined ? shown.replace(HALF_ESCAPE, '$1') : shown).toWellFormed() + end;
  }
  return text.slice(0, characters).toWellFormed();
}

/**
 * The places that the instructions for clients name: between two marks, or within quotation marks. The second mark of a
 * function of an older version is longer.
 */
const OTHERS_TEXT =
  /\[page text ([0-9a-f]{12}) begins\]\n[\s\S]*?\n\[(?:page text )?\1 ends\]|"(?:[^"\\\n]|\\.)*"/g;
const HALF_ESCAPE = /(?<!\\)((?:\\\\)*)\\(?:u[0-9a-f]{0,3})?$/;
