import { decodeString } from 'micromark-util-decode-string';
import type { Link, LinkTarget } from '../markdown/markdown.ts';

/** The address in a Markdown link, or in HTML: how it is written, and what it means. */

/** In HTML a backslash is a character like any other. */
type Syntax = 'markdown' | 'html';

/**
 * The target of `path.md?query#heading` in a Markdown link; null if it leads out of the wiki, or is a query alone, which is
 * for a program that shows the page.
 */
export function parseDestination(written: string, syntax: Syntax = 'markdown'): LinkTarget | null {
  if (/^(?:[a-z][a-z0-9+.-]+:|\/\/|\?)/i.test(unescaped(written, syntax))) return null;
  const { path, query, anchor } = partsOf(written, syntax);
  return {
    target: decode(path, syntax),
    query: query === '' ? null : decode(query, syntax),
    anchor: anchor === '' ? null : decode(anchor, syntax).slice(1),
  };
}

/** A destination as it is written, in its parts. */
interface DestinationParts {
  path: string;
  /** With its `?`, or empty. */
  query: string;
  /** With its `#`, or empty. */
  anchor: string;
}

export function partsOf(written: string, syntax: Syntax): DestinationParts {
  let query = written.length;
  let anchor = written.length;
  for (const { 0: unit, index } of written.matchAll(ESCAPES_AND_MARKS)) {
    const meant = unescaped(unit, syntax);
    if (meant === '?') query = Math.min(query, index);
    if (meant !== '#') continue;
    anchor = index;
    break;
  }
  query = Math.min(query, anchor);
  return {
    path: written.slice(0, query),
    query: written.slice(query, anchor),
    anchor: written.slice(anchor),
  };
}

/** Backslash escapes, character references, and what ends a path. */
const ESCAPES_AND_MARKS = /\\[!-/:-@[-`{-~]|&#?[a-z0-9]{1,31};|[?#]/gi;

/**
 * The target of `Page#Heading` in a wikilink; null if it leads out of the wiki. Spaces around the `#` are
 * kept, since it may be part of a name, which only a resolver can decide: `[[C# Guide]]`.
 */
export function parseWikiTarget(written: string): LinkTarget | null {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(written)) return null;
  const hash = written.indexOf('#');
  if (hash === -1) return { target: written, query: null, anchor: null };
  return { target: written.slice(0, hash), query: null, anchor: written.slice(hash + 1) };
}

export interface DestinationStyle {
  syntax: Syntax;
  /** Written between `<` and `>`. */
  angle: boolean;
  /** True if letters beyond ASCII are percent-encoded too. */
  encodeAll: boolean;
  /** True if a bar stays as it is. In a table it would end the cell. */
  bareBars: boolean;
}

/** A path in the form that a Markdown link needs, so that `parseDestination` returns the same path. */
export function formatDestination(path: string, style: DestinationStyle): string {
  if (style.syntax === 'html') return percentEncoded(path, HTML_RESERVED, style).replaceAll('&', '&amp;');
  const marks = style.angle ? '[<>\\\\#?\\n\\r]' : '[\\s<>()\\\\#?\\p{Cc}`*_[\\]"]';
  return percentEncoded(path, `${marks}|&(?=#?[A-Za-z0-9]+;)${style.bareBars ? '' : '|\\|'}`, style);
}

/** The bar would end the cell of a table. */
const HTML_RESERVED = '[\\s<>"\'`=\\\\#?|\\p{Cc}]';

function percentEncoded(path: string, marks: string, { encodeAll }: DestinationStyle): string {
  const reserved = `${marks}${encodeAll ? '|[^\\x20-\\x7e]' : ''}`;
  const encoded = new RegExp(reserved, 'gu');
  const written = path.replace(encoded, percentEncode);
  // A percent sign can stand for itself only if nothing is encoded.
  if (written === path && !/%[\da-f]{2}/i.test(path)) return path;
  return path.replaceAll('%', '%25').replace(encoded, percentEncode);
}

/** True if the written destination percent-encodes letters beyond ASCII. */
export function encodesLetters(written: string): boolean {
  return /%[89a-f][\da-f]/i.test(written);
}

function percentEncode(characters: string): string {
  return [...new TextEncoder().encode(characters)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
}

/** Resolves escapes and character references, then percent encoding. Invalid percent encoding stays as it is. */
function decode(written: string, syntax: Syntax): string {
  const plain = unescaped(written, syntax);
  try {
    return decodeURIComponent(plain);
  } catch (error) {
    if (!(error instanceof URIError)) throw error; // Such as `100%.md`, which people write.
    return plain;
  }
}

function unescaped(written: string, syntax: Syntax): string {
  if (syntax === 'markdown') return decodeString(written);
  return written.replace(/&#?[a-z0-9]{1,31};/gi, (reference) => decodeString(reference));
}

/** How a link is written, so that another destination can be written in the same way. */
export function styleOf({ kind, angle }: Pick<Link, 'kind' | 'angle'>, written: string): DestinationStyle {
  const bareBars = /(?<!\\)\|/.test(written);
  return { syntax: syntaxOf(kind), angle, encodeAll: encodesLetters(written), bareBars };
}

export function syntaxOf(kind: Link['kind']): Syntax {
  return kind === 'html' ? 'html' : 'markdown';
}
