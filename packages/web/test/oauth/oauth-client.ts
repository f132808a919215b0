import { createHash, randomBytes } from 'node:crypto';
import { fetchAs } from '../clients/fetch-as.ts';
import type { Answer, TestBrowser } from '../login/browser.ts';
import { HOST, ORIGIN } from '../login/team.ts';

export const REDIRECT = 'http://127.0.0.1:4567/callback';

export interface Tokens {
  access_token: string;
  refresh_token?: string;
  scope?: string;
  error?: string;
}

/** A client that does each step of the flow by itself, so that each can go wrong. */
export class OAuthClient {
  readonly #fetch: typeof fetch;
  readonly #origin: string;
  readonly verifier = randomBytes(32).toString('base64url');
  id = '';

  constructor(port: number, host = HOST, origin = ORIGIN) {
    this.#fetch = fetchAs(host, port);
    this.#origin = origin;
  }

  async register(more: object = {}): Promise<{ status: number; body: Record<string, unknown> }> {
    const answer = await this.#fetch(`${this.#origin}/_/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [REDIRECT], client_name: 'Test client', ...more }),
    });
    const body = (await answer.json()) as Record<string, unknown>;
    this.id = String(body.client_id);
    return { status: answer.status, body };
  }

  /** The address at which a person is asked. */
  authorizeAddress(changed: Record<string, string | null> = {}): string {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: this.id,
      redirect_uri: REDIRECT,
      state: 'the state',
      scope: 'wiki:read wiki:write',
      resource: `${this.#origin}/mcp`,
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    for (const [name, value] of Object.entries(changed)) {
      if (value === null) query.delete(name);
      else query.set(name, value);
    }
    return `/_/oauth/authorize?${query}`;
  }

  token(fields: Record<string, string>, path = '/_/oauth/token'): Promise<{ status: number; body: Tokens }> {
    return this.#post(path, { client_id: this.id, ...fields });
  }

  exchange(code: string, more: Record<string, string> = {}): Promise<{ status: number; body: Tokens }> {
    return this.token({
      ...{ grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: this.verifier },
      ...more,
    });
  }

  refresh(token: string): Promise<{ status: number; body: Tokens }> {
    return this.token({ grant_type: 'refresh_token', refresh_token: token });
  }

  async #post(path: string, fields: Record<string, string>): Promise<{ status: number; body: Tokens }> {
    const answer = await this.#fetch(this.#origin + path, {
      method: 'POST',
      body: new URLSearchParams(fields),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? { access_token: '' } : JSON.parse(text) };
  }
}

/** The page on which a logged-in person is asked. */
export async function openConsent(
  browser: TestBrowser,
  address: string,
): Promise<{ path: string; page: Answer }> {
  const begun = await browser.get(address, { 'sec-fetch-site': 'cross-site' });
  return { path: begun.location, page: await browser.get(begun.location) };
}

export function proofIn({ text }: Answer): string {
  return (
    /action="\/_\/oauth\/consent\/[^"]*">\s*<input type="hidden" name="token" value="([^"]*)"/.exec(
      text,
    )?.[1] ?? ''
  );
}

/** Lets a person decide, and follows to the address of the client. */
export async function decide(
  browser: TestBrowser,
  { path, page }: { path: string; page: Answer },
  fields: Record<string, string> = {},
): Promise<URL> {
  const answer = await browser.post(path, {
    token: proofIn(page),
    may: 'write',
    where: '',
    do: 'allow',
    ...fields,
  });
  const [, onward = ''] = /content="0; url=([^"]*)"/.exec(answer.text) ?? [];
  if (onward === '') throw new Error(`${answer.status} ${answer.text}`);
  return new URL((await browser.get(onward)).location);
}

/** The whole flow. */
export async function connect(
  browser: TestBrowser,
  client: OAuthClient,
  fields: Record<string, string> = {},
): Promise<Tokens> {
  const address = await decide(browser, await openConsent(browser, client.authorizeAddress()), fields);
  const { status, body } = await client.exchange(address.searchParams.get('code') ?? '');
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}
