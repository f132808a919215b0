import { generateKeyPairSync, hkdfSync } from 'node:crypto';
import type { Reaching } from '@pagetree/outbound/reaching';
import { errors, Provider } from 'oidc-provider';
import type { KnownPeople } from '../clients/known-people.ts';
import type { Audit } from '../login/audit.ts';
import type { Records } from '../records/records.ts';
import {
  AUTHORIZE_ADDRESS,
  CONSENT_ADDRESS,
  OFFLINE,
  READ,
  REGISTER_ADDRESS,
  REVOKE_ADDRESS,
  resourceOf,
  TOKEN_ADDRESS,
  WRITE,
} from './addresses.ts';
import { PERSON_PARAMETER } from './authorize-query.ts';
import type { Gifts } from './gifts.ts';
import { fetchDocument } from './metadata-documents.ts';
import { Rate } from './rate.ts';
import { RecordAdapter } from './record-adapter.ts';
import { digestOf, kindOf } from './record-kinds.ts';

export interface ProviderParts {
  /** The origin of the pages, which is the issuer too. */
  origin: string;
  records: Records;
  people: Pick<KnownPeople, 'find'>;
  gifts: Pick<Gifts, 'isConnected' | 'end'>;
  audit: Audit;
  /** 32 bytes. Each process with the same key goes on with what a browser began at another one. */
  key: Uint8Array;
  log(line: string): void;
  /** In milliseconds since 1970. */
  now(): number;
  /** How the metadata of clients is reached. */
  reaching?: Reaching;
}

export interface OpenedProvider {
  provider: Provider;
  /** Resolves when what it began beside its answers is done: a function may stand still once it has answered. */
  settled(): Promise<void>;
}

/** The cookie that binds a request for authorization to the browser that began it. */
export const INTERACTION_COOKIE = 'pagetree-oauth';
/** The provider has sessions of its own, which nobody needs: they are not let through. */
export const SESSION_COOKIE = 'pagetree-oauth-session';

/**
 * The authorization server for clients of MCP: code with PKCE for public clients, tokens for one resource, and refresh
 * tokens that rotate. Who the person is, and what they give, is decided by the pages: each request asks.
 */
export function openProvider(parts: ProviderParts): OpenedProvider {
  const { origin, records, people, gifts, audit, key, log, now, reaching } = parts;
  const documents = {
    // Somebody asks for tokens: anybody may, and must not use up the documents of people.
    ofClients: new Rate(records, 'documents for clients', MAX_DOCUMENTS_AN_HOUR, now),
    // A person who is logged in asks, or is asked.
    ofPeople: new Rate(records, 'documents for people', MAX_DOCUMENTS_AN_HOUR, now),
  };
  const resource = resourceOf(origin);
  const isSecure = origin.startsWith('https:');
  const cookie = { httpOnly: true, sameSite: 'lax', secure: isSecure };
  const provider = new Provider(origin, {
    adapter: (model: string) => new RecordAdapter(model, records, now, (grantId) => usedTwice(grantId)),
    // It signs nothing: tokens are opaque, and nobody gets an ID token. It needs one nevertheless.
    jwks: { keys: [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })] },
    routes: {
      authorization: AUTHORIZE_ADDRESS,
      token: TOKEN_ADDRESS,
      registration: REGISTER_ADDRESS,
      revocation: REVOKE_ADDRESS,
    },
    cookies: {
      names: {
        session: SESSION_COOKIE,
        interaction: INTERACTION_COOKIE,
        resume: `${INTERACTION_COOKIE}-resume`,
      },
      long: cookie,
      short: cookie,
      // One of its own: the other one encrypts sessions.
      keys: [Buffer.from(hkdfSync('sha256', key, '', 'cookies of OAuth', 32)).toString('base64url')],
    },
    scopes: [OFFLINE],
    extraParams: [PERSON_PARAMETER],
    claims: {},
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    },
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        // There is no context where the page of the consent asks.
        allowFetch: async (context: OfRoute | undefined, id: string) =>
          OF_TOKENS.includes(context?.oidc.route ?? '')
            ? (await gifts.isConnected(id)) && (await documents.ofClients.take())
            : documents.ofPeople.take(),
        cacheDuration: { min: 60, max: 300 },
      },
      revocation: {
        enabled: true,
        allowedPolicy: (_: unknown, client: OfClient, token: OfClient) => token.clientId === client.clientId,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo(_: unknown, asked: string) {
          if (asked !== resource && asked !== `${resource}/`)
            throw new errors.InvalidTarget('tokens are for the address of agents alone');
          return { scope: `${READ} ${WRITE}`, audience: resource, accessTokenFormat: 'opaque' };
        },
      },
    },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `${CONSENT_ADDRESS}/${uid}` },
    // Nothing that was given before is taken for given now.
    loadExistingGrant: async (context: Resumed) => {
      const { result, provider: of } = context.oidc;
      return result?.consent === undefined ? undefined : of.Grant.find(result.consent.grantId);
    },
    findAccount: async (_: unknown, id: string) =>
      (await people.find(id)) === null ? undefined : { accountId: id, claims: async () => ({ sub: id }) },
    issueRefreshToken: (_: unknown, client: { grantTypeAllowed(type: string): boolean }) =>
      client.grantTypeAllowed('refresh_token'),
    expiresWithSession: () => false,
    rotateRefreshToken: true,
    // All that a client got goes with one token that it revokes.
    revokeGrantPolicy: () => true,
    ttl: {
      AccessToken: HOUR_S,
      AuthorizationCode: 60,
      RefreshToken: 30 * DAY_S,
      Grant: GRANT_S,
      Interaction: HOUR_S,
      Session: HOUR_S,
      IdToken: HOUR_S,
    },
    // Its own guard against private addresses lets all through if it cannot be set up.
    fetch: (address: string | URL, { signal }: { signal?: AbortSignal }) =>
      fetchDocument(String(address), signal, reaching).catch((error: Error) => {
        log(`the metadata of a client could not be read: ${error.message}`);
        throw error;
      }),
    renderError(context: Rendered, { error, error_description: description }: Record<string, string>) {
      context.type = 'text/plain';
      const next = error === 'invalid_client' ? ADD_AGAIN : 'Begin again in the client.';
      context.body = `Nothing was connected: ${description ?? error}. ${next}\n`;
    },
  });
  // Behind a proxy with TLS: the bridge says what the origin is.
  provider.proxy = true;
  provider.on('server_error', (_: never, error: Error) =>
    log(`the authorization server failed: ${error.message}`),
  );
  const running = new Set<Promise<void>>();
  const noteEnd = async (event: 'client left' | 'token used twice', grantId: string): Promise<void> => {
    try {
      const ended = await gifts.end(grantId);
      if (ended === null) return;
      const { issuer, subject } = ended.person;
      audit({ event, person: { issuer, subject }, client: { kind: 'oauth', id: ended.id } });
    } catch (error) {
      log(`the end of a client was not noted: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const usedTwice = async (grantId: string) => {
    await records.remove(kindOf('Grant'), digestOf(grantId));
    await noteEnd('token used twice', grantId);
  };
  provider.on('grant.revoked', ({ oidc }: OfRoute, grantId: string) => {
    const event = oidc.route === 'revocation' ? 'client left' : 'token used twice';
    const noted = noteEnd(event, grantId).finally(() => running.delete(noted));
    running.add(noted);
  });
  return {
    provider,
    async settled() {
      await Promise.all(running);
    },
  };
}

interface OfRoute {
  oidc: { route: string };
}

interface OfClient {
  clientId: string;
}

interface Resumed {
  oidc: {
    result?: { consent?: { grantId: string } };
    provider: { Grant: { find(id: string): Promise<unknown> } };
  };
}

interface Rendered {
  type: string;
  body: string;
}

/** A client keeps its registration for long, and is not told that it is forgotten here. */
const ADD_AGAIN = 'If it was known here before, remove this server in the client, and add it again.';
/** The routes to which clients come by themselves. */
const OF_TOKENS = ['token', 'revocation'];
const MAX_DOCUMENTS_AN_HOUR = 600;
const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
/** After this, a person is asked again, however often the client came. */
export const GRANT_S = 365 * DAY_S;
