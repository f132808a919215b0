import * as z from 'zod';
import { ok, problem, type Result } from './checklist.ts';
import { isSafe } from './connection.ts';
import { describeBlocked, describeStranger, locationIn, type Site } from './page-checks.ts';
import { type Answer, get } from './requests.ts';
import { shown } from './shown.ts';

const endpoint = z.string().refine((text) => {
  const url = URL.parse(text);
  return url !== null && isSafe(url);
}, 'must be an address with https');

const metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  jwks_uri: endpoint,
  userinfo_endpoint: endpoint.optional(),
  end_session_endpoint: endpoint.optional(),
  response_types_supported: z.array(z.string()).optional(),
  code_challenge_methods_supported: z.array(z.string()).optional(),
});

/** Reads the metadata of the issuer, as the server does before the first login. The value is how it calls itself. */
export async function checkDiscovery(issuer: URL, timeoutMs: number): Promise<Result<string>> {
  const at = new URL(`${issuer.href.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const asked = await get(at, timeoutMs, { accept: 'application/json' });
  if (asked.kind === 'problem') return problem(`The issuer cannot be asked. ${asked.sentence}`);
  const { status, text } = asked.answer;
  if (status !== 200) return problem(`The issuer answers ${status} for ${at.href}. ${CORRECT_ISSUER}`);
  const parsed = metadata.safeParse(parseJson(text));
  if (!parsed.success) {
    const [first] = parsed.error.issues;
    const where = first?.path.join('.') ?? '';
    return problem(
      `What ${at.href} answers is not the metadata of an issuer: ${where === '' ? '' : `${where}: `}${first?.message}. ${CORRECT_ISSUER}`,
    );
  }
  const {
    issuer: named,
    response_types_supported: types,
    code_challenge_methods_supported: methods,
  } = parsed.data;
  if (URL.parse(named)?.href !== issuer.href)
    return problem(
      `The issuer at ${issuer.href} calls itself ${shown(named)}, so that the server takes no login. Start the server with --issuer ${shown(named)} if that is the one that you mean.`,
    );
  if (types?.includes('code') === false)
    return problem(
      `The issuer ${issuer.href} does not offer the flow with an authorization code (\`code\`), which Pagetree needs. ${ANOTHER_ISSUER}`,
    );
  if (methods?.includes('S256') === false)
    return problem(
      `The issuer ${issuer.href} does not offer PKCE with S256, which Pagetree needs. ${ANOTHER_ISSUER}`,
    );
  return ok(
    `${issuer.href}${methods === undefined ? ', which does not say whether it takes PKCE' : ''}`,
    named,
  );
}

/** A login that was begun, for no person. */
export interface BegunLogin {
  /** The address at the issuer to which it leads. */
  to: URL;
  /** As a browser sends it back. */
  cookie: string;
  /** How the issuer calls itself. */
  issuer: string;
}

/** Begins a login. */
export async function checkRedirect(
  { origin, timeoutMs }: Site,
  issuer: string,
): Promise<Result<BegunLogin>> {
  const asked = await get(new URL('/_/login/begin?to=/', origin), timeoutMs);
  if (asked.kind === 'problem') return problem(asked.sentence);
  const { answer } = asked;
  const to = locationIn(answer, origin);
  if (answer.status === 503 && answer.text.includes('does not answer at the moment'))
    return problem(
      'No login begins, as the server cannot use the issuer, which answers this machine. The log of the server has the reason, in a line with "login refused". See that the server may call the issuer.',
    );
  if (to === null) return problem(describeStranger(answer, origin, '/_/login/begin'));
  const { cookie, fault } = loginCookieIn(answer.headers['set-cookie'] ?? [], origin);
  if (fault !== null) return problem(fault);
  return ok(`leads to ${to.host}, with the cookie of the login`, { to, cookie, issuer });
}

/**
 * Comes back to the begun login as a person does whom the issuer did not let in: nobody is logged in, and that login is
 * over. The answer says whether the cookie arrived.
 */
export async function checkCallback(
  { to, cookie, issuer }: BegunLogin,
  { origin, timeoutMs }: Site,
): Promise<Result<null>> {
  const back = new URL(CALLBACK_PATH, origin);
  const state = to.searchParams.get('state') ?? '';
  back.search = `${new URLSearchParams({ error: 'access_denied', state, iss: issuer })}`;
  const asked = await get(back, timeoutMs, { cookie });
  if (asked.kind === 'problem') return problem(asked.sentence);
  const { status, text } = asked.answer;
  if (status === 403 && text.includes('did not let you in'))
    return ok('takes the answer of the issuer to this login', null);
  if (status === 403 && text.includes('The answer to this login is not taken'))
    return problem(
      `The cookie of the login does not come back to the server, or not the whole query: ${origin}${CALLBACK_PATH} does not know the login that it began, so that nobody can log in. Let the proxy pass Cookie and the query on unchanged.`,
    );
  return problem(
    describeBlocked(asked.answer, {
      asked: `${origin}${CALLBACK_PATH}`,
      effect: 'people come back there from the issuer, see that error, and are not logged in',
      remedy:
        'Let the proxy pass everything below /_/ on to the server, with its query. The log of the server has a line with "login refused" for each time that this arrived.',
    }),
  );
}

/** Asks the issuer for its login page. No further redirect is followed, as the next one needs the cookies of the issuer. */
export async function checkAuthorization(to: URL, timeoutMs: number): Promise<Result<null>> {
  const asked = await get(to, timeoutMs);
  if (asked.kind === 'problem')
    return problem(`The login page of the issuer cannot be asked for. ${asked.sentence}`);
  const { status } = asked.answer;
  if (status >= 500 || status === 429)
    return problem(`The issuer answers ${status} for its login page at ${to.host}. Try again later.`);
  const [client, back] = ['client_id', 'redirect_uri'].map((name) => shown(to.searchParams.get(name) ?? ''));
  const refusal = refusalIn(asked.answer, to);
  if (refusal === null)
    return ok(
      `${to.host} takes the client ${client} and ${back}, as far as can be seen without an account`,
      null,
    );
  return problem(
    `${to.host} refuses the login (${refusal}). Register ${back} as a redirect URI of the client ${client} at the issuer, and compare --client-id with what the issuer gave you (docs/team-server.md).`,
  );
}

function refusalIn(answer: Answer, asked: URL): string | null {
  const { status, text } = answer;
  const next = locationIn(answer, asked.href);
  if (next !== null) {
    const error = next.searchParams.get('error') ?? next.searchParams.get('authError');
    if (error !== null) return shown(`${error} ${next.searchParams.get('error_description') ?? ''}`);
    return /\/error\b/.test(next.pathname) ? shown(next.pathname) : null;
  }
  const code = ERROR_CODE.exec(text)?.[0];
  if (status >= 400) return code === undefined ? `${status}` : `${status}, ${code}`;
  // Entra shows its errors with 200.
  return code?.startsWith('AADSTS') ? code : null;
}

/** The cookie of the begun login. `fault` is null if it arrived as it must. */
function loginCookieIn(cookies: readonly string[], origin: string): { cookie: string; fault: string | null } {
  const isEncrypted = origin.startsWith('https:');
  const prefix = isEncrypted ? '__Host-pagetree-login-' : 'pagetree-session-';
  const found = cookies.find((each) => each.startsWith(prefix)) ?? '';
  const wanted = [...(isEncrypted ? ['Secure'] : []), 'HttpOnly', 'SameSite=Lax', 'Path=/'];
  const [cookie = '', ...rest] = found.split(';').map((each) => each.trim());
  const attributes = rest.map((each) => each.toLowerCase());
  const isWhole =
    wanted.every((each) => attributes.includes(each.toLowerCase())) &&
    !attributes.some((each) => each.startsWith('domain='));
  const fault = isWhole
    ? null
    : `The cookie of the login does not arrive as Pagetree sends it (${prefix}..., with ${wanted.join(', ')} and without Domain), so that no login can end. Let the proxy pass Set-Cookie on unchanged.`;
  return { cookie, fault };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema names the fault.
    return null;
  }
}

const CALLBACK_PATH = '/_/login/callback';
const CORRECT_ISSUER = 'Correct --issuer (docs/team-server.md), or see whether the issuer works.';
const ANOTHER_ISSUER = 'Let it offer that, or take another issuer.';
/** Those of OAuth 2.0 and the own ones of Amazon Cognito, Google and Microsoft Entra. */
const ERROR_CODE =
  /\b(?:redirect_uri_mismatch|redirect_mismatch|invalid_redirect_uri|invalid_client|unauthorized_client|unsupported_response_type|invalid_scope|invalid_request|access_denied|AADSTS\d+)\b/;
