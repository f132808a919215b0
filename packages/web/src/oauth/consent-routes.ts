import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { getCookie } from 'hono/cookie';
import type { Client, Interaction, Provider } from 'oidc-provider';
import type { SessionPages } from '../clients/session-pages.ts';
import { givenBy } from '../clients/token-form.ts';
import type { Audit } from '../login/audit.ts';
import { loginAddress } from '../login/login-routes.ts';
import { personDigest } from '../login/person.ts';
import { formProof, isFormProof, type Session } from '../login/sessions.ts';
import type { Records } from '../records/records.ts';
import { faultOfSender, fieldOf } from '../site/posts/own-posts.ts';
import { CONSENT_ADDRESS, READ, resourceOf, WRITE } from './addresses.ts';
import { PERSON_PARAMETER } from './authorize-query.ts';
import { type Asked, consentSheet, endedSheet, goOnSheet, tooManySheet } from './consent-pages.ts';
import type { Gifts } from './gifts.ts';
import { Rate } from './rate.ts';
import { nameOf, placeOf } from './registration.ts';

export interface ConsentParts extends SessionPages {
  /** The origin of the pages in the browser. */
  origin: string;
  provider(): Promise<Provider>;
  records: Records;
  gifts: Gifts;
  audit: Audit;
  /** In milliseconds since 1970. */
  now(): number;
}

/** A request for authorization that waits for a person. */
interface Waiting {
  interaction: Interaction;
  client: Client;
  asked: Asked;
}

/** The pages on which a person decides what a client gets. */
export function consentRoutes(parts: ConsentParts): Hono {
  const app = new Hono();
  const address = `${CONSENT_ADDRESS}/:uid`;
  app.get(address, async (context) => {
    const session = await parts.sessionOf(context);
    if (session === null) return context.redirect(loginAddress(context.req.path), 303);
    if (!(await mayDecide(parts, session)))
      return parts.show(context, tooManySheet(), parts.signedIn(session), 429);
    const waiting = await waitingFor(context, parts, session);
    return waiting === null ? ended(context, parts, session) : ask(context, parts, session, waiting, null);
  });
  app.post(address, bodyLimit({ maxSize: MAX_FORM_BYTES }), async (context) => {
    const session = await parts.sessionOf(context);
    if (session === null) return context.redirect(loginAddress(context.req.path), 303);
    if (!(await mayDecide(parts, session)))
      return parts.show(context, tooManySheet(), parts.signedIn(session), 429);
    const form = await context.req.formData().catch(() => new FormData());
    const waiting = await waitingFor(context, parts, session);
    if (waiting === null) return ended(context, parts, session);
    const proof = fieldOf(form, 'token');
    const isOwn =
      faultOfSender(context) === null && isFormProof(session, `consent ${waiting.interaction.uid}`, proof);
    if (!isOwn) return ended(context, parts, session, 403);
    return fieldOf(form, 'do') === 'allow'
      ? allow(context, parts, session, waiting, form)
      : finish(context, parts, session, waiting, {
          error: 'access_denied',
          error_description: 'the person refused',
        });
  });
  return app;
}

/** False if the person opened pages of consents too often: each may make the server fetch a document. */
function mayDecide({ records, now }: ConsentParts, { person }: Session): Promise<boolean> {
  return new Rate(records, `consents of ${personDigest(person)}`, MAX_CONSENTS_AN_HOUR, now).take();
}

/** Null if there is none, or if another browser or another person began it. */
async function waitingFor(
  context: Context,
  { provider }: ConsentParts,
  { person }: Session,
): Promise<Waiting | null> {
  const { INTERACTION_COOKIE } = await import('./provider.ts');
  const uid = context.req.param('uid') ?? '';
  if (getCookie(context, INTERACTION_COOKIE) !== uid) return null;
  const { Interaction, Client } = await provider();
  const interaction = await Interaction.find(uid);
  if (interaction?.params[PERSON_PARAMETER] !== personDigest(person) || interaction.result !== undefined)
    return null;
  const client = await Client.find(String(interaction.params.client_id));
  if (client === undefined) return null;
  const scopes = String(interaction.params.scope).split(' ');
  const asked: Asked = {
    name: nameOf(client.clientName),
    place: placeOf(String(interaction.params.redirect_uri)),
    of: URL.parse(client.clientId)?.host ?? null,
    mayWrite: scopes.includes(WRITE),
  };
  return { interaction, client, asked };
}

async function ask(
  context: Context,
  parts: ConsentParts,
  session: Session,
  { interaction, asked }: Waiting,
  fault: { sentence: string; may: string; where: string } | null,
): Promise<Response> {
  const proof = formProof(session, `consent ${interaction.uid}`);
  const fields = { may: fault?.may ?? (asked.mayWrite ? 'write' : 'read'), where: fault?.where ?? '' };
  const sheet = consentSheet({
    asked,
    fields,
    fault: fault?.sentence ?? null,
    proof,
    address: context.req.path,
  });
  return parts.show(context, sheet, parts.signedIn(session), fault === null ? 200 : 400);
}

async function allow(
  context: Context,
  parts: ConsentParts,
  session: Session,
  waiting: Waiting,
  form: FormData,
): Promise<Response> {
  const { client, asked } = waiting;
  const read = givenBy(form);
  if (read.kind === 'fault') return ask(context, parts, session, waiting, read);
  const given = asked.mayWrite ? read.given : { ...read.given, may: 'read' as const };
  const accountId = personDigest(session.person);
  const { clientId } = client;
  const { Grant } = await parts.provider();
  const { GRANT_S } = await import('./provider.ts');
  const grant = new Grant({ accountId, clientId });
  const resource = resourceOf(parts.origin);
  for (const each of [resource, `${resource}/`]) {
    grant.addResourceScope(each, given.may === 'write' ? `${READ} ${WRITE}` : READ);
    if (given.may === 'read') grant.rejectResourceScope(each, WRITE);
  }
  const grantId = await grant.save(GRANT_S);
  const untilMs = parts.now() + GRANT_S * 1_000;
  const id = await parts.gifts.make(session.person, grantId, {
    ...{ given, clientId, name: asked.name, place: asked.place, untilMs },
  });
  parts.audit({
    event: 'client connected',
    person: { issuer: session.person.issuer, subject: session.person.subject },
    client: { kind: 'oauth', id },
  });
  const login = { accountId, remember: false };
  return finish(context, parts, session, waiting, { login, consent: { grantId } });
}

/** Leads on by a page of ours: the policy of our pages lets no form lead to another origin, not even by redirects. */
async function finish(
  context: Context,
  parts: ConsentParts,
  session: Session,
  { interaction, asked }: Waiting,
  result: object,
): Promise<Response> {
  interaction.result = result;
  await interaction.save(Math.max(1, interaction.exp - Math.floor(parts.now() / 1_000)));
  const { pathname } = new URL(interaction.returnTo);
  return parts.show(context, goOnSheet(asked, pathname), parts.signedIn(session), 200);
}

function ended(
  context: Context,
  parts: ConsentParts,
  session: Session,
  status: 400 | 403 = 400,
): Promise<Response> {
  return parts.show(context, endedSheet(), parts.signedIn(session), status);
}

const MAX_CONSENTS_AN_HOUR = 120;
const MAX_FORM_BYTES = 50_000;
