import type { Context } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';

/** The cookies of a login. */
export interface LoginCookies {
  readonly session: string;
  /** The name of the cookie of a pending login begins with it. */
  readonly pendingPrefix: string;
  set(context: Context, name: string, value: string, maxAgeS?: number): void;
  remove(context: Context, name: string): void;
}

/**
 * Under https the prefix keeps other hosts of the same domain, and those who change what is sent without encryption, from
 * setting one. On this machine, for trials, all ports share their cookies. `Lax`: a person who follows a link from
 * elsewhere is logged in; a form of another origin brings no cookie.
 */
export function loginCookies(origin: string): LoginCookies {
  const { protocol, port } = new URL(origin);
  const secure = protocol === 'https:';
  const name = secure ? '__Host-pagetree' : `pagetree-session-${port}`;
  const options = { path: '/', httpOnly: true, sameSite: 'Lax', secure } as const;
  return {
    session: name,
    pendingPrefix: `${name}-login-`,
    set: (context, cookie, value, maxAge) =>
      setCookie(context, cookie, value, maxAge === undefined ? options : { ...options, maxAge }),
    remove: (context, cookie) => {
      deleteCookie(context, cookie, options);
    },
  };
}
