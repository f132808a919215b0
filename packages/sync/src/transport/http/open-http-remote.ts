import { Incoming } from '../incoming.ts';
import type { Patience } from '../patience.ts';
import { remoteOver } from '../protocol-remote.ts';
import { MAX_REMOTE, type Remote, type RemoteLimits } from '../remote.ts';
import { RemoteFailure } from '../remote-failure.ts';
import { type HttpUrl, parseRemoteUrl } from '../remote-url.ts';
import type { Service, Session, Transport } from '../session.ts';
import { type AskCredentials, HttpCalls } from './http-calls.ts';
import { failureOfStatus } from './http-failure.ts';

export interface HttpRemoteOptions {
  url: HttpUrl;
  /**
   * Gives the login, or null if there is none. It is asked when the remote wants a login, and once more with `rejected` if the
   * remote does not take it, as a token may have been renewed meanwhile. What it throws ends the call.
   */
  credentials: AskCredentials;
  /** The name and version of this program, as `pagetree/1.2.3`. */
  agentName: string;
  limits?: Partial<RemoteLimits>;
  fetch: typeof globalThis.fetch;
}

/** A repository behind a server for git's smart protocol over HTTP: https://git-scm.com/docs/gitprotocol-http */
export function openHttpRemote({ url, credentials, agentName, limits, fetch }: HttpRemoteOptions): Remote {
  const calls = new HttpCalls({ url, credentials, agentName, fetch });
  return remoteOver(new HttpTransport(url, calls), { agentName, limits: { ...MAX_REMOTE, ...limits } });
}

class HttpTransport implements Transport {
  readonly #url: HttpUrl;
  readonly #calls: HttpCalls;

  constructor(url: HttpUrl, calls: HttpCalls) {
    this.#url = url;
    this.#calls = calls;
  }

  get remote(): string {
    return this.#url.shown;
  }

  get secrets(): readonly string[] {
    return this.#calls.secrets;
  }

  async open<T>(service: Service, patience: Patience, use: (session: Session) => Promise<T>): Promise<T> {
    const { response, base } = await this.#discover(service, patience);
    const greeting = this.#incoming(response, `${service}-advertisement`, patience);
    let last = greeting;
    const ask = async (parts: readonly Uint8Array[]) => {
      await last.finish();
      const type = `application/x-${service}`;
      const answer = await this.#calls.send(new URL(`${base}/${service}`), patience, {
        headers: { ...versionHeader(service), 'Content-Type': `${type}-request`, Accept: `${type}-result` },
        parts,
      });
      last = this.#incoming(await this.#good(answer, patience), `${service}-result`, patience);
      return last;
    };
    const result = await use({ greeting, ask });
    // Only for the connection, which can be used again then. The answer was complete.
    await last.finish().catch(() => {});
    return result;
  }

  /** Asks for the service, and finds the address to which a server sends all calls on. */
  async #discover(service: Service, patience: Patience): Promise<{ response: Response; base: string }> {
    const asked = (base: string) =>
      this.#calls.send(new URL(`${base}/info/refs?service=${service}`), patience, {
        headers: versionHeader(service),
      });
    const own = this.#url.url.href.replace(/\/$/, '');
    const response = await asked(own);
    if (!REDIRECTS.includes(response.status))
      return { response: await this.#good(response, patience), base: own };
    await response.body?.cancel();
    const base = this.#baseOf(response.headers.get('location') ?? '', service);
    return { response: await this.#good(await asked(base), patience), base };
  }

  #baseOf(location: string, service: Service): string {
    const own = this.#url.url;
    const target = URL.canParse(location, `${own.href}/info/refs`)
      ? new URL(location, `${own.href.replace(/\/$/, '')}/info/refs`)
      : null;
    const tail = `/info/refs?service=${service}`;
    if (target?.href.endsWith(tail)) {
      const base = target.href.slice(0, -tail.length);
      // The rules for addresses hold for this one too: no user in it, and http:// on this machine only.
      const parsed = parseRemoteUrl(base);
      const isAsSafe = target.protocol === 'https:' || own.protocol === 'http:';
      if (typeof parsed !== 'string' && isAsSafe) return base;
    }
    throw new RemoteFailure('no_git', { remote: this.remote, reason: 'redirect' });
  }

  async #good(response: Response, patience: Patience): Promise<Response> {
    if (response.status === 200) return response;
    throw await failureOfStatus(response, { remote: this.remote, secrets: this.secrets, patience });
  }

  #incoming(response: Response, type: string, patience: Patience): Incoming {
    const given = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
    if (given !== `application/x-${type}`)
      throw new RemoteFailure('no_git', { remote: this.remote, reason: 'content_type' });
    return new Incoming(chunksOf(response), { patience, remote: this.remote, secrets: this.secrets });
  }
}

/** Only fetches have a version 2. */
function versionHeader(service: Service): Record<string, string> {
  return service === 'git-upload-pack' ? { 'Git-Protocol': 'version=2' } : {};
}

async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
  if (response.body !== null) yield* response.body;
}

const REDIRECTS = [301, 302, 303, 307, 308];
