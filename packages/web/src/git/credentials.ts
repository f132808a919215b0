import { createHash, timingSafeEqual } from 'node:crypto';
import { Refusal } from './refusal.ts';

/** The secret of a request: the password of Basic, whatever the user name is, or the token of Bearer. Null without one. */
export function secretOf(request: Request): string | null {
  const header = request.headers.get('authorization') ?? '';
  if (header.length > MAX_HEADER) return null;
  const [, scheme = '', value = ''] = /^(basic|bearer) +([\w.~+/=-]+)$/i.exec(header) ?? [];
  if (scheme.toLowerCase() === 'bearer') return value;
  const given = Buffer.from(value, 'base64').toString('utf8');
  const colon = given.indexOf(':');
  return colon === -1 ? null : given.slice(colon + 1);
}

/** Makes git ask its credential helpers, and then the person. */
export function unauthorized(sentence: string): Refusal {
  return new Refusal(401, sentence, { 'WWW-Authenticate': 'Basic realm="Pagetree", charset="UTF-8"' });
}

/** Refuses what a page made a browser send: a browser adds the password that it knows by itself. */
export function refuseBrowsers(request: Request): void {
  const site = request.headers.get('sec-fetch-site') ?? 'none';
  if (request.headers.has('origin') || site !== 'none') {
    throw new Refusal(403, 'This address is for git. Pages may not call it.');
  }
}

/** Compares digests, which are equally long, in a time that says nothing of where the secrets differ. */
export function isEqualSecret(given: string, expected: string): boolean {
  const [left, right] = [given, expected].map((text) => createHash('sha256').update(text).digest()) as [
    Buffer,
    Buffer,
  ];
  return timingSafeEqual(left, right);
}

const MAX_HEADER = 4_000;
