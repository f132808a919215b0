import type { IncomingHttpHeaders } from 'node:http';
import { ok, problem, type Result } from './checklist.ts';
import { isSafe } from './connection.ts';
import { type Answer, get } from './get.ts';
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
  const { status, headers, text } = second.answer;
  const issuer = ISSUER_LINK.exec([headers.link ?? ''].flat().join(', '))?.[1];
  const address = issuer === undefined ? null : URL.parse(issuer);
  if (status !== 200 || address === null || !isSafe(address))
    return problem(describeStranger(second.answer, origin));
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
  const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1];
  const named = title === undefined ? '' : ` with the title ${JSON.stringify(shown(title))}`;
  return `${answered}${named}, which is not Pagetree with a login. See that the name leads to your server, and that the server runs with --issuer and is of this version or newer.`;
}

/** Null without a redirect. */
export function locationIn({ status, headers }: Answer, base: string): URL | null {
  return status >= 300 && status < 400 && headers.location !== undefined
    ? URL.parse(headers.location, base)
    : null;
}

const LOGIN_PATH = '/_/login';
/** The login page names the issuer so. */
const ISSUER_LINK = /<([^<>]*)>; rel="http:\/\/openid\.net\/specs\/connect\/1\.0\/issuer"/;
/** As the server tolerates it. */
const TOLERANCE_S = 60;
