import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';

export const CLIENT = { id: 'pagetree', secret: 'the-secret-of-the-client-which-has-some-length' };

export type Claims = Record<string, unknown>;

interface Grant {
  challenge: string;
  callback: string;
  /** The ID token, whatever it holds. */
  token: string;
}

/** An issuer that signs whatever a test needs, and otherwise does what the specification says. */
export class OwnIssuer {
  readonly #grants = new Map<string, Grant>();
  readonly keys: { privateKey: CryptoKey; publicKey: CryptoKey };
  /** Metadata besides the usual. */
  metadata: Claims = {};
  /** The answer for the user, for the subject of the token. */
  user: Claims | null = null;
  address = '';
  /** How often it was asked for its metadata. */
  discoveries = 0;
  isAway = false;

  private constructor(keys: OwnIssuer['keys']) {
    this.keys = keys;
  }

  /** `atEnd` takes what closes it, by default at the end of the test. */
  static async open(atEnd: (close: () => void) => void = onTestFinished): Promise<OwnIssuer> {
    const issuer = new OwnIssuer(await generateKeyPair('RS256'));
    const server = createServer((asked, answer) => void issuer.#answer(asked, answer)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    atEnd(() => {
      server.close();
      server.closeAllConnections();
    });
    issuer.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return issuer;
  }

  /** The claims of a good token for a login. */
  claims(nonce: string, more: Claims = {}): Claims {
    const now = Math.floor(Date.now() / 1_000);
    const good = { iss: this.address, aud: CLIENT.id, sub: 'ada', nonce, iat: now, exp: now + 300 };
    return { ...good, name: 'Ada Lovelace', email: 'ada@example.org', email_verified: true, ...more };
  }

  sign(claims: Claims): Promise<string> {
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(this.keys.privateKey);
  }

  /** The code for a token, for a login that began at this address of the issuer. */
  grant(address: URL, token: string): string {
    const code = randomUUID();
    const { code_challenge: challenge = '', redirect_uri: callback = '' } = Object.fromEntries(
      address.searchParams,
    );
    this.#grants.set(code, { challenge, callback, token });
    return code;
  }

  async #answer(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const [path] = (asked.url ?? '').split('?');
    const send = (status: number, body: unknown) =>
      answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (this.isAway) return void answer.destroy();
    if (path === '/.well-known/openid-configuration') {
      this.discoveries += 1;
      return void send(200, { ...this.#usual(), ...this.metadata });
    }
    if (path === '/jwks') {
      const key = { ...(await exportJWK(this.keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
      return void send(200, { keys: [key] });
    }
    if (path === '/me' && this.user !== null) return void send(200, this.user);
    if (path !== '/token') return void send(404, {});
    const parts: Buffer[] = [];
    for await (const part of asked) parts.push(part);
    const sent = Object.fromEntries(new URLSearchParams(Buffer.concat(parts).toString()));
    const grant = this.#grants.get(sent.code ?? '');
    // Each code counts once.
    this.#grants.delete(sent.code ?? '');
    const isOurs = sent.client_id === CLIENT.id && sent.client_secret === CLIENT.secret;
    if (!isOurs) return void send(401, { error: 'invalid_client' });
    const proof = createHash('sha256')
      .update(sent.code_verifier ?? '')
      .digest('base64url');
    if (grant === undefined || proof !== grant.challenge || sent.redirect_uri !== grant.callback)
      return void send(400, { error: 'invalid_grant' });
    send(200, { access_token: 'access', token_type: 'Bearer', expires_in: 300, id_token: grant.token });
  }

  #usual(): Claims {
    return {
      issuer: this.address,
      authorization_endpoint: `${this.address}/authorize`,
      token_endpoint: `${this.address}/token`,
      jwks_uri: `${this.address}/jwks`,
      ...(this.user !== null && { userinfo_endpoint: `${this.address}/me` }),
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    };
  }
}
