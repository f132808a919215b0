/** The place of a destination in a text, as offsets. */
export interface FoundDestination {
  start: number;
  destinationEnd: number;
  /** After everything that belongs to the link. */
  end: number;
  angle: boolean;
}

/**
 * The destination of a Markdown link at `from`, with an optional title, followed by `after` (a sticky
 * pattern). Null if the text there is not a destination.
 */
export function findDestination(text: string, from: number, after: RegExp): FoundDestination | null {
  let at = from + matchLength(/[ \t]*(?:\r?\n)?[ \t]*/y, text, from);
  const angle = text[at] === '<';
  const length = angle ? matchLength(angleBrackets, text, at) : plainLength(text, at);
  if (length === null || (angle && length === 0)) return null;
  const start = angle ? at + 1 : at;
  const destinationEnd = angle ? at + length - 1 : at + length;
  at += length;
  // The line below a definition may look like a title, and have more text.
  const end = endOf(after, text, at + matchLength(title, text, at)) ?? endOf(after, text, at);
  return end === null ? null : { start, destinationEnd, end, angle };
}

function endOf(sticky: RegExp, text: string, from: number): number | null {
  sticky.lastIndex = from;
  return sticky.test(text) ? sticky.lastIndex : null;
}

const angleBrackets = /<[^<>\\\r\n]*(?:\\.[^<>\\\r\n]*)*>/y;

const title =
  /[ \t\r\n]+(?:"[^"\\]*(?:\\[\s\S][^"\\]*)*"|'[^'\\]*(?:\\[\s\S][^'\\]*)*'|\([^()\\]*(?:\\[\s\S][^()\\]*)*\))/y;

/** A destination without `<`: no white space, and its parentheses balance. Null if they do not. */
function plainLength(text: string, from: number): number | null {
  let depth = 0;
  let at = from;
  for (; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit <= 32 || unit === 127) break;
    if (unit === 92 && /[!-/:-@[-`{-~]/.test(text[at + 1] ?? '')) at += 1;
    else if (unit === 40) {
      depth += 1;
      if (depth > deepestParentheses) break;
    } else if (unit === 41) {
      if (depth === 0) break;
      depth -= 1;
    }
  }
  return depth === 0 ? at - from : null;
}

/** As in cmark. Bounds how often the same text is scanned. */
const deepestParentheses = 32;

function matchLength(sticky: RegExp, text: string, from: number): number {
  sticky.lastIndex = from;
  return sticky.exec(text)?.[0].length ?? 0;
}
