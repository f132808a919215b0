/**
 * The number of values in a JSON text: members of objects and elements of lists, at least. Stops beyond `most`. The
 * parser would take seconds for a line of millions, and the check of their types more.
 */
export function countValues(json: string, most: number): number {
  let values = 0;
  for (let at = 0; at < json.length && values <= most; at += 1) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE) at = endOfText(json, at);
    else if (unit === COMMA || unit === BRACE || unit === BRACKET) values += 1;
  }
  return values;
}

/** The place of the quote that ends the text which begins at `start`. */
function endOfText(json: string, start: number): number {
  for (let end = start; ; ) {
    end = json.indexOf('"', end + 1);
    if (end === -1) return json.length;
    let escapes = end;
    while (json.charCodeAt(escapes - 1) === BACKSLASH) escapes -= 1;
    if ((end - escapes) % 2 === 0) return end;
  }
}

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const BRACE = 123;
const BRACKET = 91;
