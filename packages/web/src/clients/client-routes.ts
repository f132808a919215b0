import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Audit } from '../login/audit.ts';
import { loginAddress } from '../login/login-routes.ts';
import { formProof, isFormProof, type Session } from '../login/sessions.ts';
import type { Gifts } from '../oauth/gifts.ts';
import { CLIENTS_ADDRESS } from '../site/addresses.ts';
import { faultOfSender, fieldOf } from '../site/posts/own-posts.ts';
import { clientsSheet, madeSheet, refusedClientsSheet } from './client-pages.ts';
import type { PersonalTokens } from './personal-tokens.ts';
import type { SessionPages } from './session-pages.ts';
import { FRESH_FIELDS, type TokenFields, tokenOf } from './token-form.ts';

export interface ClientRoutesParts extends SessionPages {
  /** The origin of these pages in the browser. */
  origin: string;
  tokens: PersonalTokens;
  gifts: Gifts;
  audit: Audit;
  /** In milliseconds since 1970. */
  now(): number;
}

/** The page on which people see, make and revoke what lets clients act for them. */
export function clientRoutes(parts: ClientRoutesParts): Hono {
  const app = new Hono();
  app.get(CLIENTS_ADDRESS, async (context) => {
    const session = await parts.sessionOf(context);
    if (session === null) return context.redirect(loginAddress(CLIENTS_ADDRESS), 303);
    return list(context, parts, session, FRESH_FIELDS, null);
  });
  app.post(CLIENTS_ADDRESS, bodyLimit({ maxSize: MAX_FORM_BYTES }), async (context) => {
    const session = await parts.sessionOf(context);
    if (session === null) return context.redirect(loginAddress(CLIENTS_ADDRESS), 303);
    const form = await context.req.formData().catch(() => new FormData());
    const isOwn = faultOfSender(context) === null && isFormProof(session, 'clients', fieldOf(form, 'token'));
    if (!isOwn) return parts.show(context, refusedClientsSheet(), parts.signedIn(session), 403);
    const [what, id] = [fieldOf(form, 'do'), fieldOf(form, 'id')];
    if (what === 'revoke') return revoke(context, parts, session, 'token', id);
    if (what === 'disconnect') return revoke(context, parts, session, 'oauth', id);
    return make(context, parts, session, form);
  });
  return app;
}

async function list(
  context: Context,
  parts: ClientRoutesParts,
  session: Session,
  fields: TokenFields,
  fault: string | null,
): Promise<Response> {
  const tokens = await parts.tokens.list(session.person);
  const connected = await parts.gifts.list(session.person);
  const proof = formProof(session, 'clients');
  const sheet = clientsSheet({ tokens, connected, fields, fault, proof, endpoint: `${parts.origin}/mcp` });
  return parts.show(context, sheet, parts.signedIn(session), fault === null ? 200 : 400);
}

async function make(
  context: Context,
  parts: ClientRoutesParts,
  session: Session,
  form: FormData,
): Promise<Response> {
  const { tokens, audit, now, origin } = parts;
  const read = tokenOf(form, now());
  if (read.kind === 'fault') return list(context, parts, session, read.fields, read.sentence);
  const made = await tokens.make(session.person, read.token);
  if (made === null) return list(context, parts, session, read.fields, TOO_MANY);
  audit({ event: 'token made', person: whoIs(session), client: { kind: 'token', id: made.id } });
  const sheet = madeSheet(read.token.name, made.secret, `${origin}/mcp`);
  return parts.show(context, sheet, parts.signedIn(session), 200);
}

async function revoke(
  context: Context,
  { tokens, gifts, audit }: ClientRoutesParts,
  session: Session,
  kind: 'token' | 'oauth',
  id: string,
): Promise<Response> {
  const didRevoke = await (kind === 'token' ? tokens : gifts).revoke(session.person, id);
  const event = kind === 'token' ? 'token revoked' : 'client revoked';
  if (didRevoke) audit({ event, person: whoIs(session), client: { kind, id } });
  // One that is not there any more is as good as revoked.
  return context.redirect(CLIENTS_ADDRESS, 303);
}

function whoIs({ person: { issuer, subject } }: Session) {
  return { issuer, subject };
}

const TOO_MANY = 'You have as many tokens as one person may have. Revoke one first.';
const MAX_FORM_BYTES = 50_000;
