import type { LinkTarget } from './markdown.ts';

/** The address in a Markdown link: how it is written, and what it means. */

/** What `path.md#heading` in a Markdown link means; null where it leads out of the wiki. */
export function parseDestination(written: string): LinkTarget | null {
  if (/^(?:[a-z][a-z0-9+.-]+:|\/\/)/i.test(written)) return null;
  const hash = written.indexOf('#');
  const path = hash === -1 ? written : written.slice(0, hash);
  const anchor = hash === -1 ? null : written.slice(hash + 1);
  return { target: decode(path), anchor: anchor === null ? null : decode(anchor) };
}

/**
 * What `Page#Heading` in a wikilink means; null where it leads out of the wiki. Spaces around the `#` are kept,
 * since it may be part of a name, which only a resolver knows: `[[C# Guide]]`.
 */
export function parseWikiTarget(written: string): LinkTarget | null {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(written)) return null;
  const hash = written.indexOf('#');
  if (hash === -1) return { target: written, anchor: null };
  return { target: written.slice(0, hash), anchor: written.slice(hash + 1) };
}

export interface DestinationStyle {
  /** Written between `<` and `>`. */
  angle: boolean;
  /** Letters beyond ASCII were percent-encoded too. */
  encodeAll: boolean;
}

/** A path as it must be written in a Markdown link so that `parseDestination` gives it back. */
export function formatDestination(path: string, { angle, encodeAll }: DestinationStyle): string {
  const reserved = angle ? /[<>\\#?\n\r]/ : /[\s<>()\\#?\p{Cc}`*_[\]"]/u;
  const encoded = encodeAll
    ? new RegExp(`${reserved.source}|[^\\x20-\\x7e]`, 'gu')
    : new RegExp(reserved, 'gu');
  const written = path.replace(encoded, percentEncode);
  // A percent sign can stand for itself only where nothing is encoded.
  if (written === path && !/%[\da-f]{2}/i.test(path)) return path;
  return path.replaceAll('%', '%25').replace(encoded, percentEncode);
}

/** Whether letters beyond ASCII are percent-encoded in what was written. */
export function encodesLetters(written: string): boolean {
  return /%[89a-f][\da-f]/i.test(written);
}

function percentEncode(characters: string): string {
  return [...new TextEncoder().encode(characters)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
}

/** Backslash escapes, then percent encoding; what is not valid percent encoding means itself. */
function decode(written: string): string {
  const unescaped = written.replace(/\\([!-/:-@[-`{-~])/g, '$1');
  try {
    return decodeURIComponent(unescaped);
  } catch (error) {
    if (!(error instanceof URIError)) throw error; // Such as `100%.md`, which people write.
    return unescaped;
  }
}
