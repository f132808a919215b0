import type { Access } from '@pagetree/access/parse-access';
import type { Person } from '@pagetree/access/rights';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { getCookie } from 'hono/cookie';
import { encodeQuery, SIGN_OUT_ADDRESS } from '../site/addresses.ts';
import type { ErrorStatus } from '../site/error-page.ts';
import type { Sheet } from '../site/layout.ts';
import { forgetToken } from '../site/posts/form-token.ts';
import { faultOfSender } from '../site/posts/own-posts.ts';
import type { Audit } from './audit.ts';
import type { LoginCookies } from './cookies.ts';
import type { Issuer, LoginResult } from './issuer.ts';
import { failedSheet, loggedInSheet, loginSheet, refusedSheet, signedOutSheet } from './login-pages.ts';
import { PENDING_MS, type PendingLogins } from './pending-logins.ts';
import { personDigest } from './person.ts';
import { returnPath } from './return-path.ts';
import { MAX_COOKIE_BYTES } from './sealer.ts';
import { fittingGroups, isFormProof, type Session, type Sessions } from './sessions.ts';

const LOGIN_ADDRESS = '/_/login';
const BEGIN_ADDRESS = `${LOGIN_ADDRESS}/begin`;
export const CALLBACK_ADDRESS = `${LOGIN_ADDRESS}/callback`;
const SIGNED_OUT_ADDRESS = '/_/signed-out';
/** As OpenID Connect Discovery 1.0 names it. */
const ISSUER_RELATION = 'http://openid.net/specs/connect/1.0/issuer';
/** The form has a token alone. */
const MAX_SIGN_OUT_BYTES = 10_000;

export interface LoginParts {
  /** The origin of these pages in the browser. */
  origin: string;
  issuerAddress: string;
  /** Loads what a login needs. */
  issuer(): Promise<Issuer>;
  sessions: Sessions;
  pending: PendingLogins;
  cookies: LoginCookies;
  access(): Access;
  audit: Audit;
  /** Called when a person logs in. False if the login cannot count at the moment. */
  begun(person: Person): Promise<boolean>;
  /** Called when a session has ended. */
  ended(session: Session): void;
  show(context: Context, sheet: Sheet, status: ErrorStatus): Promise<Response>;
  log(line: string): void;
}

/** The addresses by which people log in and sign out. */
export function loginRoutes(parts: LoginParts): Hono {
  const app = new Hono();
  app.get(LOGIN_ADDRESS, (context) => offer(context, parts));
  app.get(BEGIN_ADDRESS, (context) => begin(context, parts));
  app.get(CALLBACK_ADDRESS, (context) => finish(context, parts));
  app.post(SIGN_OUT_ADDRESS, bodyLimit({ maxSize: MAX_SIGN_OUT_BYTES }), (context) =>
    signOut(context, parts),
  );
  app.get(SIGNED_OUT_ADDRESS, (context) =>
    parts.show(context, signedOutSheet(parts.issuerAddress, null, true), 200),
  );
  return app;
}

/** The address of the page with the way to log in; `to` is where the person wants to go. */
export function loginAddress(to: string): string {
  return LOGIN_ADDRESS + encodeQuery({ to });
}

async function offer(context: Context, parts: LoginParts): Promise<Response> {
  const { origin, issuerAddress, show } = parts;
  const to = returnPath(context.req.query('to'), origin);
  if ((await sessionOf(context, parts)) !== null) return context.redirect(to, 303);
  // For `doctor --url`: the address of the issuer's pages does not say which issuer they belong to.
  context.header('Link', `<${new URL(issuerAddress).href}>; rel="${ISSUER_RELATION}"`);
  return show(context, loginSheet(issuerAddress, beginAddress(to)), 200);
}

async function begin(context: Context, parts: LoginParts): Promise<Response> {
  const { origin, pending, cookies } = parts;
  const to = returnPath(context.req.query('to'), origin);
  // Another site could have the browser begin many logins. Old browsers do not say.
  if (!['same-origin', 'none'].includes(context.req.header('sec-fetch-site') ?? 'none')) {
    return context.redirect(loginAddress(to), 303);
  }
  const login = pending.begin(to);
  const begun = await (await parts.issuer()).begin(login);
  if (begun.kind === 'unreachable') return failed(context, parts, begun, to);
  for (const name of await pending.surplus(getCookie(context))) cookies.remove(context, name);
  cookies.set(context, pending.nameOf(login), await pending.seal(login), PENDING_MS / 1_000);
  return context.redirect(begun.address.href, 303);
}

async function finish(context: Context, parts: LoginParts): Promise<Response> {
  const { sessions, pending, cookies, audit } = parts;
  const state = context.req.query('state') ?? '';
  const login = await pending.find(getCookie(context), state);
  if (login === null) {
    return failed(
      context,
      parts,
      { kind: 'refused', reason: 'the state is none of this browser', isDenied: false },
      '/',
    );
  }
  // Each is for one answer.
  cookies.remove(context, pending.nameOf(login));
  const result = await (await parts.issuer()).finish(login, new URL(context.req.url).search);
  if (result.kind !== 'person') return failed(context, parts, result, login.to);
  const { person } = result;
  const named = new Set(parts.access().rules.flatMap(({ groups = [] }) => groups));
  const session = sessions.begin({
    ...person,
    groups: fittingGroups(person.groups, (group) => named.has(group)),
  });
  const sealed = await sessions.seal(session);
  if (sealed.length > MAX_COOKIE_BYTES) {
    return failed(
      context,
      parts,
      { kind: 'refused', reason: 'the claims are too long for a cookie', isDenied: false },
      login.to,
    );
  }
  if (!(await parts.begun(session.person))) {
    audit({ event: 'login refused', reason: 'the login cannot be noted' });
    return parts.show(context, failedSheet(NOT_NOTED, beginAddress(login.to)), 503);
  }
  const before = await sessionOf(context, parts);
  if (before !== null) await end(before, parts);
  cookies.set(context, cookies.session, sealed);
  audit({ event: 'login', person: whoIs(session) });
  return parts.show(context, loggedInSheet(login.to), 200);
}

async function signOut(context: Context, parts: LoginParts): Promise<Response> {
  const { origin, cookies, show } = parts;
  const fault = faultOfSender(context);
  const { kind, sentence } = fault === null ? await ended(context, parts) : refused(fault);
  if (kind === 'refused') return show(context, refusedSheet(sentence), 403);
  cookies.remove(context, cookies.session);
  // Also pages that the browser has: the next person at this machine must not find them. Texts that were not saved too.
  context.header('Clear-Site-Data', '"cache", "storage"');
  const leave = await (await parts.issuer()).signOutAddress(origin + SIGNED_OUT_ADDRESS);
  const sheet = signedOutSheet(parts.issuerAddress, leave, kind === 'ended');
  return show(context, sheet, kind === 'ended' ? 200 : 503);
}

type Ending = { kind: 'refused'; sentence: string } | { kind: 'ended' | 'not noted'; sentence: null };

function refused(sentence: string): Ending {
  return { kind: 'refused', sentence };
}

/** Ends the session of the browser. `not noted`: it counts elsewhere until it ends by itself. */
async function ended(context: Context, parts: LoginParts): Promise<Ending> {
  try {
    const session = await sessionOf(context, parts);
    const fault = await faultOfToken(context, session);
    if (fault !== null) return refused(fault);
    if (session !== null) {
      forgetToken(context, personDigest(session.person));
      await end(session, parts);
      parts.audit({ event: 'sign-out', person: whoIs(session) });
    }
    return { kind: 'ended', sentence: null };
  } catch (error) {
    parts.log(
      `the end of a session was not noted: ${error instanceof Error ? error.message : String(error)}`,
    );
    return { kind: 'not noted', sentence: null };
  }
}

function whoIs({ person: { issuer, subject } }: Session) {
  return { issuer, subject };
}

async function faultOfToken(context: Context, session: Session | null): Promise<string | null> {
  if (session === null) return null;
  const form = await context.req.formData().catch(() => null);
  const token = form?.get('token');
  return typeof token === 'string' && isFormProof(session, 'sign out', token)
    ? null
    : 'The page from which you signed out is of another login.';
}

function sessionOf(context: Context, { sessions, cookies }: LoginParts): Promise<Session | null> {
  return sessions.open(getCookie(context, cookies.session));
}

async function end(session: Session, parts: LoginParts): Promise<void> {
  try {
    await parts.sessions.end(session);
  } finally {
    parts.ended(session);
  }
}

function failed(
  context: Context,
  { audit, show, issuerAddress }: LoginParts,
  result: Exclude<LoginResult, { kind: 'person' }>,
  to: string,
): Promise<Response> {
  audit({ event: 'login refused', reason: result.reason });
  const { host } = new URL(issuerAddress);
  if (result.kind === 'unreachable') {
    return show(context, failedSheet(`${host} does not answer at the moment.`, beginAddress(to)), 503);
  }
  const sentence = result.isDenied ? `${host} did not let you in.` : NOT_TAKEN;
  return show(context, failedSheet(sentence, beginAddress(to)), 403);
}

const NOT_NOTED = 'This server cannot note your login at the moment.';
const NOT_TAKEN =
  'The answer to this login is not taken. A login counts for ten minutes, once, and in the browser that began it.';

function beginAddress(to: string): string {
  return BEGIN_ADDRESS + encodeQuery({ to });
}
