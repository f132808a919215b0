import type { Person } from '@pagetree/access/rights';
import * as client from 'openid-client';
import { openedOnce } from '../site/opened-once.ts';
import type { PendingLogin } from './pending-logins.ts';
import { personOf } from './person.ts';

export interface IssuerSettings {
  /** As the issuer writes it. */
  issuer: string;
  clientId: string;
  /** Null for a client that proves by PKCE alone that it began the login. */
  clientSecret: string | null;
  /** The address of ours to which the issuer sends people back. */
  callback: string;
}

export type LoginResult =
  | { kind: 'person'; person: Person }
  /** `reason` is for the log: it says nothing of tokens. `isDenied`: the person, or the issuer, said no. */
  | { kind: 'refused'; reason: string; isDenied: boolean }
  | { kind: 'unreachable'; reason: string };

/** An issuer of OpenID Connect, which says who somebody is. It is asked when the first person logs in. */
export interface Issuer {
  /** The address at which a person logs in. */
  begin(
    login: PendingLogin,
  ): Promise<{ kind: 'address'; address: URL } | (LoginResult & { kind: 'unreachable' })>;
  /** `answer` is the query with which the issuer sent the person back. */
  finish(login: PendingLogin, answer: string): Promise<LoginResult>;
  /** The address at which a person signs out of the issuer, and is then sent to `after`; null if it has none. */
  signOutAddress(after: string): Promise<URL | null>;
}

export function openIssuer(settings: IssuerSettings): Issuer {
  const configuration = openedOnce(() => discover(settings));
  return {
    async begin({ state, nonce, verifier }) {
      try {
        const address = client.buildAuthorizationUrl(await configuration(), {
          redirect_uri: settings.callback,
          scope: 'openid profile email',
          state,
          nonce,
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        });
        return { kind: 'address', address };
      } catch (error) {
        return { kind: 'unreachable', reason: reasonOf(error) };
      }
    },

    async finish({ state, nonce, verifier }, answer) {
      let config: client.Configuration;
      try {
        config = await configuration();
      } catch (error) {
        return { kind: 'unreachable', reason: reasonOf(error) };
      }
      try {
        return { kind: 'person', person: await redeem(config, settings, { state, nonce, verifier }, answer) };
      } catch (error) {
        return failureOf(error);
      }
    },

    async signOutAddress(after) {
      try {
        return client.buildEndSessionUrl(await configuration(), {
          post_logout_redirect_uri: after,
          // Cognito knows it by this name alone, and signs nobody out without it:
          // https://docs.aws.amazon.com/cognito/latest/developerguide/logout-endpoint.html
          logout_uri: after,
        });
      } catch {
        // The person has signed out here, whatever is wrong with the issuer or its address.
        return null;
      }
    },
  };
}

async function discover({ issuer, clientId, clientSecret }: IssuerSettings): Promise<client.Configuration> {
  const server = new URL(issuer);
  const metadata = { [client.clockTolerance]: TOLERANCE_S };
  const execute = server.protocol === 'http:' ? [client.allowInsecureRequests] : [];
  const config = await client.discovery(server, clientId, metadata, authentication(clientSecret), {
    execute,
    timeout: TIMEOUT_S,
  });
  // Without this the token is believed because it came over TLS from the issuer itself.
  client.enableNonRepudiationChecks(config);
  return config;
}

/** In the body, where every issuer decodes it alike; in the header for an issuer that takes it there alone. */
function authentication(secret: string | null): client.ClientAuth {
  if (secret === null) return client.None();
  const [inBody, inHeader] = [client.ClientSecretPost(secret), client.ClientSecretBasic(secret)];
  return (server, ...others) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_post') ? inBody : inHeader)(server, ...others);
  };
}

async function redeem(
  config: client.Configuration,
  { callback }: IssuerSettings,
  { state, nonce, verifier }: Pick<PendingLogin, 'state' | 'nonce' | 'verifier'>,
  answer: string,
): Promise<Person> {
  const address = new URL(callback);
  address.search = answer;
  const tokens = await client.authorizationCodeGrant(config, address, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const token = tokens.claims();
  if (token === undefined) throw new Refusal('there is no ID token');
  // Nobody may log in with a token that is valid only later.
  if (token.iat > Date.now() / 1_000 + TOLERANCE_S) throw new Refusal('the ID token is from the future');
  // The library takes a token for several clients if it names us as the party that it was issued to, or names nobody.
  if (token.azp !== undefined && token.azp !== config.clientMetadata().client_id)
    throw new Refusal('the ID token was issued to another client');
  if (token.sub === '' || token.sub.length > MAX_SUBJECT)
    throw new Refusal('the subject is empty or too long');
  const hasUser = config.serverMetadata().userinfo_endpoint !== undefined;
  const user = hasUser ? await client.fetchUserInfo(config, tokens.access_token, token.sub) : null;
  return personOf({ issuer: token.iss, subject: token.sub, token, user });
}

/** A reason why a token is not taken. */
class Refusal extends Error {}

function failureOf(error: unknown): LoginResult {
  if (error instanceof client.AuthorizationResponseError) {
    return {
      kind: 'refused',
      reason: `the issuer says ${error.error}`.slice(0, MAX_REASON),
      isDenied: error.error === 'access_denied',
    };
  }
  return isUnreachable(error)
    ? { kind: 'unreachable', reason: reasonOf(error) }
    : { kind: 'refused', reason: reasonOf(error), isDenied: false };
}

/** fetch throws a TypeError for a network error, and an abort signal its reason. */
function isUnreachable(error: unknown): boolean {
  const cause = error instanceof client.ClientError ? error.cause : error;
  if (cause instanceof Response) return cause.status >= 500;
  return cause instanceof TypeError || (cause instanceof Error && cause.name === 'TimeoutError');
}

function reasonOf(error: unknown): string {
  const parts = error instanceof Error ? [error.message] : [];
  const { cause } = error as { cause?: unknown };
  if (cause instanceof Error) parts.push(cause.message);
  return parts.join(': ').slice(0, MAX_REASON);
}

/** As OpenID Connect bounds it. */
const MAX_SUBJECT = 255;
const TOLERANCE_S = 60;
const TIMEOUT_S = 10;
const MAX_REASON = 300;
