import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import type { Html } from '../layout.ts';
import { originOf, personOf } from '../surroundings.ts';

/**
 * The hidden field without which no form changes anything. Its value is also in a cookie, which a foreign page can
 * neither read nor send. Every answer that has it must not be cached.
 */
export function tokenField(context: Context): Html {
  const kept = keptToken(context);
  const token = kept ?? randomBytes(TOKEN_BYTES).toString('base64url');
  if (kept === null) {
    const { name, secure } = cookieOf(context);
    setCookie(context, name, token, { path: '/', httpOnly: true, sameSite: 'Strict', secure });
  }
  // With `no-referrer` a browser sends the forms of the page with `Origin: null`, as a foreign page could.
  context.header('Referrer-Policy', 'same-origin');
  return html`<input type="hidden" name="token" value="${token}">`;
}

/** Makes every form of no use that this person left open in the browser. */
export function forgetToken(context: Context, person: string): void {
  const { name, secure } = cookieOf(context, person);
  deleteCookie(context, name, { path: '/', secure });
}

/** True if the token of the form is that of the cookie. Takes the same time for every wrong one. */
export function isTokenOfCookie(context: Context, given: string): boolean {
  const kept = keptToken(context);
  if (kept === null || !TOKEN.test(given)) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(kept));
}

function keptToken(context: Context): string | null {
  const kept = getCookie(context, cookieOf(context).name);
  return kept !== undefined && TOKEN.test(kept) ? kept : null;
}

/**
 * All ports of a host share their cookies. Under https no other host of the domain, and nobody who changes what is sent
 * without encryption, can set a cookie with this prefix. Each person has a cookie of their own: a form that one left open
 * must not be sent in the name of the next one at the same browser.
 */
function cookieOf(context: Context, person = personOf(context)): { name: string; secure: boolean } {
  const owner = person === undefined ? '' : `-${person.slice(0, NAME_CHARACTERS)}`;
  if (originOf(context)?.startsWith('https:')) return { name: `__Host-pagetree-form${owner}`, secure: true };
  const [, port = '0'] = /:(\d+)$/.exec(context.req.header('host') ?? '') ?? [];
  return { name: `pagetree-${port}${owner}`, secure: false };
}

const NAME_CHARACTERS = 12;

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;
