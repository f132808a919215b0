import * as z from 'zod';
import { oneLine } from '../login/person.ts';

const redirectUri = z.string().min(1).max(1_000).refine(isRedirectUri);

const registration = z.object({
  redirect_uris: z.array(redirectUri).min(1).max(20),
  client_name: z.string().optional().catch(undefined),
  grant_types: z.array(z.string()).optional().catch(undefined),
});

export type Registration = { kind: 'body'; body: string } | { kind: 'fault'; description: string };

/**
 * Takes two things of a registration (RFC 7591): where codes may be sent, and a name. The rest, such as pictures and
 * addresses, nobody needs; and every client is a public one.
 */
export function readRegistration(text: string): Registration {
  const parsed = registration.safeParse(parsedJson(text));
  if (!parsed.success) {
    return {
      kind: 'fault',
      description:
        'redirect_uris must list 1 to 20 addresses: https, http on this machine (localhost or 127.0.0.1), or a scheme of the client',
    };
  }
  const { redirect_uris, client_name, grant_types } = parsed.data;
  const canRefresh = grant_types === undefined || grant_types.includes('refresh_token');
  return {
    kind: 'body',
    body: JSON.stringify({
      redirect_uris,
      client_name: nameOf(client_name),
      // Only native clients may have addresses of the machine itself, at any port (RFC 8252).
      application_type: 'native',
      grant_types: ['authorization_code', ...(canRefresh ? ['refresh_token'] : [])],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }),
  };
}

/** A name as it may be shown: one line, nothing that turns the text after it around. */
export function nameOf(name: string | undefined): string {
  return oneLine(name ?? '', MAX_NAME) || 'A client without a name';
}

/** The place to which a code goes, for the person who decides. */
export function placeOf(redirect: string): string {
  const url = URL.parse(redirect);
  if (url === null) return redirect;
  if (url.protocol === 'http:') return 'a program on your own machine';
  return url.protocol === 'https:' ? url.host : `the program that opens ${url.protocol}`;
}

function isRedirectUri(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.hash !== '' || text.includes('#') || url.username !== '' || url.password !== '')
    return false;
  if (url.protocol === 'https:') return !LOOPBACK.includes(url.hostname);
  if (url.protocol === 'http:') return LOOPBACK.includes(url.hostname);
  return /^[a-z][a-z0-9+.-]{1,40}:$/.test(url.protocol) && !OF_BROWSERS.includes(url.protocol);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** Schemes that a browser itself runs or shows, or with which it opens what is no client. */
const OF_BROWSERS = [
  ...['javascript:', 'vbscript:', 'data:', 'about:', 'blob:', 'filesystem:', 'file:', 'view-source:'],
  ...['chrome:', 'chrome-extension:', 'moz-extension:', 'resource:', 'jar:', 'intent:', 'android-app:'],
  ...['ws:', 'wss:', 'ftp:', 'mailto:', 'tel:', 'sms:', 'search-ms:', 'ms-msdt:'],
];
const MAX_NAME = 60;
