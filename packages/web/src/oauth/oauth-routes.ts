import type { Access } from '@pagetree/access/parse-access';
import { rightsOf } from '@pagetree/access/rights';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { loginAddress } from '../login/login-routes.ts';
import { personDigest } from '../login/person.ts';
import { openedOnce } from '../site/opened-once.ts';
import {
  AUTHORIZE_ADDRESS,
  REGISTER_ADDRESS,
  RESOURCE_METADATA_ADDRESS,
  REVOKE_ADDRESS,
  SERVER_METADATA_ADDRESS,
  TOKEN_ADDRESS,
} from './addresses.ts';
import { providersQuery } from './authorize-query.ts';
import { nothingToGiveSheet, tooManySheet } from './consent-pages.ts';
import { type ConsentParts, consentRoutes } from './consent-routes.ts';
import type { Gifts } from './gifts.ts';
import { resourceMetadata, serverMetadata } from './metadata.ts';
import type { ProviderParts } from './provider.ts';
import { Rate } from './rate.ts';
import { readRegistration } from './registration.ts';

export interface OAuthParts extends ProviderParts, Omit<ConsentParts, 'provider'> {
  gifts: Gifts;
  /** The rules as they are now. */
  access(): Access;
}

/** The addresses by which clients of MCP get tokens of people. */
export function oauthRoutes(parts: OAuthParts): Hono {
  const { origin, records, now } = parts;
  // Loaded when a client comes: people who read pages need none of it.
  const opened = openedOnce(async () => {
    const [{ openProvider }, { answerBy }] = await Promise.all([
      import('./provider.ts'),
      import('./bridge.ts'),
    ]);
    const { provider, settled } = openProvider(parts);
    const listener = provider.callback();
    return {
      provider,
      answer: async (context: Context, search: string, body: string) => {
        const answer = await answerBy(listener, origin, context.req.raw, { search, body });
        await settled();
        return answer;
      },
    };
  });
  const rate = new Rate(records, 'registrations', MAX_REGISTRATIONS_AN_HOUR, now);
  const app = new Hono();
  for (const address of [RESOURCE_METADATA_ADDRESS, `${RESOURCE_METADATA_ADDRESS}/mcp`]) {
    app.get(address, (context) => context.json(resourceMetadata(origin), 200, OPEN));
  }
  app.get(SERVER_METADATA_ADDRESS, (context) => context.json(serverMetadata(origin), 200, OPEN));
  const pass = async (context: Context) => {
    const body = ['GET', 'HEAD'].includes(context.req.method) ? '' : await context.req.text();
    return (await opened()).answer(context, searchOf(context), body);
  };
  const limited = bodyLimit({ maxSize: MAX_BODY_BYTES });
  for (const address of [TOKEN_ADDRESS, REVOKE_ADDRESS]) app.all(address, limited, pass);
  app.options(REGISTER_ADDRESS, pass);
  app.get(AUTHORIZE_ADDRESS, async (context) => {
    const search = searchOf(context);
    // First: nobody but people who may log in makes this server fetch the metadata of a client.
    const session = await parts.sessionOf(context);
    if (session === null) return context.redirect(loginAddress(AUTHORIZE_ADDRESS + search), 303);
    // At some issuers everybody may log in.
    if (rightsOf(session.person, parts.access()).wikis.size === 0)
      return parts.show(context, nothingToGiveSheet(), parts.signedIn(session), 403);
    // What all people may begin in an hour is for all of them.
    const own = new Rate(records, `requests of ${personDigest(session.person)}`, MAX_REQUESTS_AN_HOUR, now);
    if (!(await own.take())) {
      context.header('Retry-After', '3600');
      return parts.show(context, tooManySheet(), parts.signedIn(session), 429);
    }
    return (await opened()).answer(context, providersQuery(search, session.person), '');
  });
  app.get(`${AUTHORIZE_ADDRESS}/:uid`, pass);
  app.post(REGISTER_ADDRESS, limited, async (context) => {
    const read = readRegistration(await context.req.text());
    if (read.kind === 'fault') return refused(context, 400, 'invalid_client_metadata', read.description);
    if (!(await rate.take())) {
      context.header('Retry-After', '3600');
      return refused(context, 429, 'temporarily_unavailable', 'too many clients registered in this hour');
    }
    return (await opened()).answer(context, '', read.body);
  });
  app.route('/', consentRoutes({ ...parts, provider: async () => (await opened()).provider }));
  return app;
}

function searchOf(context: Context): string {
  return new URL(context.req.url).search;
}

function refused(context: Context, status: 400 | 429, error: string, description: string): Response {
  return context.json({ error, error_description: description }, status, OPEN);
}

/** Programs in pages of other origins may read it. */
const OPEN = { 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-store' };
/** A client that registers more often blocks registrations until the next hour, and no longer. */
const MAX_REGISTRATIONS_AN_HOUR = 60;
/** The limit of each person. Each request may make the server fetch two of the 600 documents of an hour. */
const MAX_REQUESTS_AN_HOUR = 60;
const MAX_BODY_BYTES = 50_000;
