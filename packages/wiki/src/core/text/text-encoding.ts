/** The bytes of a page as text, and what it takes to write them back as they were. */
export interface DecodedText {
  /** Without a byte order mark. */
  text: string;
  /** Whether the bytes began with a byte order mark. */
  bom: boolean;
  /** False: not UTF-8. The text then has replacement characters and must never be written back. */
  valid: boolean;
}

export type LineEnding = '\n' | '\r\n';

export function decodeText(bytes: Uint8Array): DecodedText {
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const body = bom ? bytes.subarray(3) : bytes;
  try {
    return { text: decode(body, true), bom, valid: true };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // A TypeError says: not UTF-8, which `valid` tells the caller.
    return { text: decode(body, false), bom, valid: false };
  }
}

/** The inverse of `decodeText` for valid text. Text that is not well-formed has no bytes: check it before. */
export function encodeText(text: string, bom: boolean): Uint8Array {
  return new TextEncoder().encode(bom ? `\ufeff${text}` : text);
}

/** What most lines of the text end with; LF where there is none. */
export function lineEndingOf(text: string): LineEnding {
  let windows = 0;
  let all = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    all += 1;
    if (text.charCodeAt(at - 1) === carriageReturn) windows += 1;
  }
  return windows * 2 > all ? '\r\n' : '\n';
}

export function withLineEnding(text: string, ending: LineEnding): string {
  const plain = text.replaceAll('\r\n', '\n');
  return ending === '\n' ? plain : plain.replaceAll('\n', ending);
}

const carriageReturn = 13;

function decode(bytes: Uint8Array, fatal: boolean): string {
  return new TextDecoder('utf-8', { fatal, ignoreBOM: true }).decode(bytes);
}
