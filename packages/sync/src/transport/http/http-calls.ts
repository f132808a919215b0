import type { Patience } from '../patience.ts';
import { RemoteFailure, type RemoteFailureReason } from '../remote-failure.ts';
import type { HttpUrl } from '../remote-url.ts';
import { failureOfConnection } from './http-failure.ts';

export interface Credentials {
  username: string;
  password: string;
}

export type AskCredentials = (asked: { rejected: boolean }) => Promise<Credentials | null>;

interface HttpCall {
  headers: Record<string, string>;
  /** The body of a POST. Without it the call is a GET. */
  parts?: readonly Uint8Array[];
}

/** Calls of HTTP with the login of one remote, which goes to the origin of its address and to no other. */
export class HttpCalls {
  readonly #url: HttpUrl;
  readonly #ask: AskCredentials;
  readonly #agentName: string;
  readonly #fetch: typeof globalThis.fetch;
  /** The login that the remote took last. */
  #login: string | null = null;
  readonly #secrets: string[] = [];

  constructor(options: {
    url: HttpUrl;
    credentials: AskCredentials;
    agentName: string;
    fetch: typeof globalThis.fetch;
  }) {
    this.#url = options.url;
    this.#ask = options.credentials;
    this.#agentName = options.agentName;
    this.#fetch = options.fetch;
  }

  /** Everything that must not be shown. */
  get secrets(): readonly string[] {
    return this.#secrets;
  }

  /** The answer, of any status but 401. Throws RemoteFailure if there is none, or no login that the remote takes. */
  async send(address: URL, patience: Patience, call: HttpCall): Promise<Response> {
    const isOwn = address.origin === this.#url.url.origin;
    const first = await this.#once(address, patience, call, isOwn ? this.#login : null);
    if (first.status !== 401) return first;
    if (!isOwn) throw await this.#unauthorized(first, 'moved_elsewhere');
    let refused = first;
    for (const rejected of this.#login === null ? [false, true] : [true]) {
      const login = await this.#askLogin(patience, rejected);
      if (login === null) throw await this.#unauthorized(refused, rejected ? 'rejected' : 'no_credentials');
      await refused.body?.cancel();
      const response = await this.#once(address, patience, call, login);
      if (response.status !== 401) {
        this.#login = login;
        return response;
      }
      refused = response;
    }
    throw await this.#unauthorized(refused, 'rejected');
  }

  async #unauthorized(response: Response, reason: RemoteFailureReason): Promise<RemoteFailure> {
    this.#login = null;
    await response.body?.cancel();
    return new RemoteFailure('unauthorized', { remote: this.#url.shown, reason, status: response.status });
  }

  async #askLogin(patience: Patience, rejected: boolean): Promise<string | null> {
    const given = await patience.untilGivenUp(this.#ask({ rejected }));
    if (given === null) return null;
    const login = Buffer.from(`${given.username}:${given.password}`).toString('base64');
    for (const secret of [login, ...formsOf(given.password)])
      if (!this.#secrets.includes(secret)) this.#secrets.push(secret);
    return login;
  }

  async #once(address: URL, patience: Patience, call: HttpCall, login: string | null): Promise<Response> {
    const { parts } = call;
    const headers: Record<string, string> = {
      ...call.headers,
      // Some servers know clients of git by this beginning.
      'User-Agent': `git/${this.#agentName}`,
      Pragma: 'no-cache',
      ...(login !== null && { Authorization: `Basic ${login}` }),
      ...(parts && { 'Content-Length': String(parts.reduce((sum, part) => sum + part.length, 0)) }),
    };
    const init: RequestInit & { duplex?: 'half' } = {
      headers,
      redirect: 'manual',
      signal: patience.signal,
      ...(parts && { method: 'POST', body: bodyOf(parts, patience), duplex: 'half' }),
    };
    try {
      return await patience.untilSilent(this.#fetch(address, init));
    } catch (error) {
      throw patience.signal.aborted ? patience.signal.reason : failureOfConnection(error, this.#url.shown);
    }
  }
}

/** A body that shows by its pulls that the remote takes bytes: a long upload is no silence. */
function bodyOf(parts: readonly Uint8Array[], patience: Patience): ReadableStream<Uint8Array> {
  const pieces = piecesOf(parts);
  return new ReadableStream(
    {
      pull(controller) {
        const { value, done } = pieces.next();
        patience.heard();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}

function* piecesOf(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const part of parts)
    for (let at = 0; at < part.length; at += PIECE_BYTES) yield part.subarray(at, at + PIECE_BYTES);
}

const PIECE_BYTES = 65_536;

/** As servers repeat a password: as it is, in an address, and in base64. */
function formsOf(password: string): string[] {
  return [password, encodeURIComponent(password), Buffer.from(password).toString('base64')];
}
