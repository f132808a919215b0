import type { IncomingHttpHeaders } from 'node:http';
import { ok, problem, type Result } from './checklist.ts';
import { isSafe } from './connection.ts';
import { type Answer, get, post } from './requests.ts';
import { shown } from './shown.ts';

export interface Site {
  /** As `https://wiki.example.org`. */
  origin: string;
  timeoutMs: number;
}

export interface LoginPage {
  headers: IncomingHttpHeaders;
  issuer: URL;
  /** The path of the script of the pages; null if the page has none. */
  script: string | null;
}

/** Asks for the first page, which leads to the login page, and for that. */
export async function checkLoginPage({ origin, timeoutMs }: Site): Promise<Result<LoginPage>> {
  const first = await get(new URL('/', origin), timeoutMs);
  if (first.kind === 'problem') return problem(first.sentence);
  const leadsTo = locationIn(first.answer, origin);
  if (leadsTo === null) return problem(describeStranger(first.answer, origin));
  if (leadsTo.origin !== origin)
    return problem(
      `${origin} leads to ${shown(leadsTo.origin)}. Give that address if people use it; else correct the proxy.`,
    );
  if (leadsTo.pathname !== LOGIN_PATH) return problem(describeStranger(first.answer, origin));
  const second = await get(leadsTo, timeoutMs);
  if (second.kind === 'problem') return problem(second.sentence);
  const address = issuerIn(second.answer);
  if (address === null) return problem(describeStranger(second.answer, origin));
  const { headers, text } = second.answer;
  const script = /<script [^>]*src="(\/_\/[\w./-]+)"/.exec(text)?.[1] ?? null;
  return ok('Pagetree shows it', { headers, issuer: address, script });
}

export function checkHeaders(headers: IncomingHttpHeaders, { origin }: Site): Result<null> {
  const isEncrypted = origin.startsWith('https:');
  const wanted = [
    ...(isEncrypted ? [['Strict-Transport-Security', /max-age=[1-9]/] as const] : []),
    ['Content-Security-Policy', /default-src 'none'/] as const,
    ['Cache-Control', /no-store/] as const,
    ['X-Content-Type-Options', /nosniff/] as const,
  ];
  const wrong = wanted.filter(([name, value]) => !value.test(String(headers[name.toLowerCase()] ?? '')));
  if (wrong.length === 0) return ok(wanted.map(([name]) => name).join(', '), null);
  const names = wrong.map(([name]) => name).join(', ');
  return problem(
    `Headers of Pagetree that protect people do not arrive as it sends them: ${names}. Let the proxy pass them on.`,
  );
}

export function checkClock({ date, age = '0' }: IncomingHttpHeaders, now: number): Result<null> {
  const time = Date.parse(date ?? '') + Number(age) * 1_000;
  if (Number.isNaN(time)) return ok('the server does not say its time', null);
  const seconds = Math.round((time - now) / 1_000);
  const difference = `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} that of this machine`;
  return Math.abs(seconds) <= TOLERANCE_S
    ? ok(seconds === 0 ? 'equal to that of this machine' : difference, null)
    : problem(
        `The clock of the server is ${difference}. A login fails if it differs from the clock of the issuer by more than ${TOLERANCE_S} s. Set the wrong one, by NTP.`,
      );
}

export async function checkFiles({ script }: LoginPage, { origin, timeoutMs }: Site): Promise<Result<null>> {
  if (script === null)
    return problem('The login page names no script. Let the proxy pass pages on unchanged.');
  const asked = await get(new URL(script, origin), timeoutMs, { 'accept-encoding': 'br, gzip' });
  if (asked.kind === 'problem') return problem(asked.sentence);
  const { status, headers } = asked.answer;
  const type = headers['content-type'] ?? '';
  if (status !== 200 || !type.startsWith('text/javascript'))
    return problem(
      `The script ${script} is answered with ${status} and the type ${JSON.stringify(shown(type))}. Let the proxy pass everything below /_/ on to the server.`,
    );
  const control = headers['cache-control'] ?? '';
  if (!control.includes('immutable'))
    return problem(
      `The script ${script} has the header Cache-Control ${JSON.stringify(shown(control))}, so that browsers load it again and again. Let the proxy pass that header on as Pagetree sends it.`,
    );
  const encoding = headers['content-encoding'];
  const size = encoding === undefined ? 'not compressed' : `compressed with ${shown(encoding)}`;
  return ok(`browsers keep them; ${size}`, null);
}

/** Asks for the login page once more, with as many bytes of cookies as a session may have. */
export async function checkCookies({ origin, timeoutMs }: Site): Promise<Result<null>> {
  const cookie = `pagetree-doctor=${'x'.repeat(COOKIE_BYTES)}`;
  const asked = await get(new URL(LOGIN_PATH, origin), timeoutMs, { cookie });
  if (asked.kind === 'problem') return problem(asked.sentence);
  if (issuerIn(asked.answer) !== null) return ok(`arrive with ${COOKIE_BYTES} bytes`, null);
  return problem(
    describeBlocked(asked.answer, {
      asked: `${origin}${LOGIN_PATH} with ${COOKIE_BYTES} bytes of cookies`,
      effect: 'people whose session has that many see an error in place of each page after their login',
      remedy:
        'Let the proxy take headers of 8 kB and more (`large_client_header_buffers` in nginx), and pass cookies on.',
    }),
  );
}

/** Sends a form as a browser does whose session has ended. Nothing is changed by it. */
export async function checkForms({ origin, timeoutMs }: Site): Promise<Result<null>> {
  const path = '/main/Page?view=edit';
  const asked = await post(new URL(path, origin), timeoutMs, {
    headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'content=Nothing',
  });
  if (asked.kind === 'problem') return problem(asked.sentence);
  const { status, text } = asked.answer;
  if (status === 401 && text.includes('You are not logged in any more.'))
    return ok('arrive, and change nothing without a login (POST)', null);
  return problem(
    describeBlocked(asked.answer, {
      asked: `POST to ${origin}${path}`,
      effect: 'nobody can save a page or sign out, and neither clients of MCP nor git work',
      remedy: 'Let the proxy pass requests of every method on, above all POST.',
    }),
  );
}

/** Says what an answer means that Pagetree would not give, and what to do. */
export function describeStranger({ status, headers, text }: Answer, origin: string, path = ''): string {
  const answered = `${origin}${path} answers ${status}`;
  const wait = headers['retry-after'];
  if (status === 429)
    return `${answered}: too many requests at once${wait === undefined ? '' : `, come again in ${shown(wait)} s`}. Wait, then try again. If it stays so, raise the limit of the proxy or, on AWS, the concurrency of the function.`;
  const elsewhere = /^Nothing is served here for this host\. Open (\S+)\/ instead\./.exec(text)?.[1];
  if (status === 421 && elsewhere !== undefined)
    return `${answered}: the server is for ${shown(elsewhere)}. Start it with --public-url ${origin}, and let the proxy pass on the Host header as the browser sent it (docs/team-server.md).`;
  // The function of the pages says so itself.
  if (status === 503 && text.startsWith('These pages '))
    return `${answered}: ${shown(text)} The log of the function has the reason.`;
  if ([502, 503, 504].includes(status))
    return `${answered}: the server is not ready, or the proxy does not reach it. Try again. If it stays so, see that the server runs and that the proxy leads to its port; on AWS, see the log of the function.`;
  if (status === 403)
    return `${answered}: something before Pagetree refuses. See the rules of the proxy; on AWS, see that the Function URL may be called by its caller.`;
  return `${answered}${titleIn(text)}, which is not Pagetree with a login. See that the name leads to your server, and that the server runs with --issuer and is of this version or newer.`;
}

export interface Blocked {
  /** The request, as `POST to https://wiki.example.org/mcp`. */
  asked: string;
  /** What people see because of it. */
  effect: string;
  remedy: string;
}

/** Says of a foreign answer, in a place where Pagetree has one of its own, what people see because of it. */
export function describeBlocked({ status, text }: Answer, { asked, effect, remedy }: Blocked): string {
  // So Pagetree says it itself.
  if (/^(?:Something went wrong here|These pages )/.test(text))
    return `${asked}: Pagetree fails (${status}), so that ${effect}. The log of the server has the reason.`;
  const isOverloaded = [429, 502, 503, 504].includes(status);
  const next = isOverloaded ? `Try again. If the answer stays the same: ${remedy}` : remedy;
  return `${asked}: the answer is ${status}${titleIn(text)}, which is not that of Pagetree, so that ${effect}. ${next}`;
}

/** Null without a redirect. */
export function locationIn({ status, headers }: Answer, base: string): URL | null {
  return status >= 300 && status < 400 && headers.location !== undefined
    ? URL.parse(headers.location, base)
    : null;
}

/** The issuer that the login page names; null if the answer is not that page. */
function issuerIn({ status, headers }: Answer): URL | null {
  const issuer = ISSUER_LINK.exec([headers.link ?? ''].flat().join(', '))?.[1];
  const address = issuer === undefined ? null : URL.parse(issuer);
  return status === 200 && address !== null && isSafe(address) ? address : null;
}

function titleIn(text: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1];
  return title === undefined ? '' : ` with the title ${JSON.stringify(shown(title))}`;
}

export const LOGIN_PATH = '/_/login';
/** The login page names the issuer so. */
const ISSUER_LINK = /<([^<>]*)>; rel="http:\/\/openid\.net\/specs\/connect\/1\.0\/issuer"/;
/** As the server tolerates it. */
const TOLERANCE_S = 60;
/** The most that the cookie of a session has. */
const COOKIE_BYTES = 4_000;
