/** The bytes of a page as text, with the facts needed to write them back unchanged. */
export interface DecodedText {
  /** Without a byte order mark. */
  text: string;
  /** True if the bytes began with a byte order mark. */
  bom: boolean;
  /**
   * False if the bytes are not UTF-8. The text then has replacement characters and must never be written
   * back.
   */
  valid: boolean;
}

export type LineEnding = '\n' | '\r\n';

export function decodeText(bytes: Uint8Array): DecodedText {
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const body = bom ? bytes.subarray(3) : bytes;
  try {
    return { text: decode(body, true), bom, valid: true };
  } catch (error) {
    // A TypeError means that the bytes are not UTF-8; `valid` reports that.
    if (!(error instanceof TypeError)) throw error;
    return { text: decode(body, false), bom, valid: false };
  }
}

/** The inverse of `decodeText` for valid text. Text that is not well-formed has no bytes: check it first. */
export function encodeText(text: string, bom: boolean): Uint8Array {
  return new TextEncoder().encode(bom ? `\ufeff${text}` : text);
}

/** The line ending of most lines of the text; LF if there is none. */
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
