/** The beginning, for an address that is not ours. */
const BEGINNING = '/';

/**
 * The address on this site to which a person goes after the login. Anything else leads to the beginning: a link to our
 * login must not lead a person to a foreign page that looks like ours.
 */
export function returnPath(asked: string | undefined, origin: string): string {
  if (asked === undefined || asked.length > MAX_CHARACTERS || !asked.startsWith('/')) return BEGINNING;
  // Browsers take a backslash for a slash, and leave control characters out.
  if (/^\/[/\\]|[\p{Cc}\\]/u.test(asked) || !asked.isWellFormed()) return BEGINNING;
  const url = URL.parse(asked, origin);
  if (url === null || url.origin !== origin) return BEGINNING;
  const path = url.pathname + url.search;
  // Dots in the path may leave two slashes at its beginning. The addresses of the login would lead in a circle.
  const isBad = path.startsWith('//') || path.startsWith('/_/login');
  // Each letter that is no ASCII takes up to nine characters in the address.
  return isBad || path.length > MAX_CHARACTERS ? BEGINNING : path;
}

/** It is kept in a cookie. */
const MAX_CHARACTERS = 1_500;
