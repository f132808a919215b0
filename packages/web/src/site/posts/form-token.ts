import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import type { Html } from '../layout.ts';

/**
 * The hidden field without which no form changes anything. Its value is also in a cookie, which a foreign page can
 * neither read nor send. Every answer that has it must not be cached.
 */
export function tokenField(context: Context): Html {
  const kept = keptToken(context);
  const token = kept ?? randomBytes(TOKEN_BYTES).toString('base64url');
  if (kept === null) {
    setCookie(context, cookieName(context), token, { path: '/', httpOnly: true, sameSite: 'Strict' });
  }
  // With `no-referrer` a browser sends the forms of the page with `Origin: null`, as a foreign page could.
  context.header('Referrer-Policy', 'same-origin');
  return html`<input type="hidden" name="token" value="${token}">`;
}

/** True if the token of the form is that of the cookie. Takes the same time for every wrong one. */
export function isTokenOfCookie(context: Context, given: string): boolean {
  const kept = keptToken(context);
  if (kept === null || !TOKEN.test(given)) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(kept));
}

function keptToken(context: Context): string | null {
  const kept = getCookie(context, cookieName(context));
  return kept !== undefined && TOKEN.test(kept) ? kept : null;
}

/** All ports of a host share their cookies. */
function cookieName(context: Context): string {
  const [, port = '0'] = /:(\d+)$/.exec(context.req.header('host') ?? '') ?? [];
  return `pagetree-${port}`;
}

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;
