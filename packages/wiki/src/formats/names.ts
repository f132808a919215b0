/**
 * One part of a path as git stores it: bytes in no particular encoding. Each character stands for one byte (0
 * to 255), so names compare in git's order with `<`, can be keys of a Map, and are written back exactly as
 * they were read.
 */
export type Name = string;

/** The name that stores `text`, which must be well-formed Unicode. */
export function encodeName(text: string): Name {
  return ASCII.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

/** The text of a name, or null if it is not UTF-8 or cannot be part of a path. */
export function decodeName(name: Name): string | null {
  if (name === '' || name === '.' || name === '..' || name.includes('/')) return null;
  if (ASCII.test(name)) return name;
  try {
    return utf8.decode(Buffer.from(name, 'latin1'));
  } catch {
    // The fatal decoder throws for invalid UTF-8: such a name has no text.
    return null;
  }
}

/** A name for display in a report, even if it is not UTF-8. */
export function readableName(name: Name): string {
  return Buffer.from(name, 'latin1').toString('utf8');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII as a whole.
const ASCII = /^[\x00-\x7f]*$/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
