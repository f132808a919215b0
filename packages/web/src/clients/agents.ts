import type { Author, Wiki } from '@pagetree/wiki/contract';
import { LRUCache } from 'lru-cache';
import { RESOURCE_METADATA_ADDRESS } from '../oauth/addresses.ts';
import type { Endpoint } from '../site/view-tools.ts';
import { Admission, type AdmissionOptions, type Admitted } from './admission.ts';

/** The caller that an endpoint serves. */
export interface AgentCaller {
  /** Limited to what the caller may see and change. */
  wiki: Wiki;
  /** The same wiki, for the looks that find out what changed: they are not audited. */
  watched: Wiki;
  author: Author;
  /** True if the caller can change nothing. */
  onlyReads: boolean;
}

export interface AgentsOptions extends AdmissionOptions {
  /** The origin of these pages in the browser. */
  origin: string;
  open(caller: AgentCaller): Promise<Endpoint>;
}

/**
 * Answers agents that act for people, each with the rights of its person at that moment, and of these only what the person
 * gave. An endpoint is of one client with the same rights: nothing of it is anybody else's.
 */
export class Agents {
  readonly #options: AgentsOptions;
  readonly #admission: Admission;
  readonly #kept = new LRUCache<string, Promise<Endpoint>>({ max: MAX_ENDPOINTS });

  constructor(options: AgentsOptions) {
    this.#options = options;
    this.#admission = new Admission(options);
  }

  /** `sent` resolves when the answer has left the process, or cannot. */
  async fetch(request: Request, sent: Promise<unknown>): Promise<Response> {
    const origin = request.headers.get('origin');
    if (origin !== null && origin.toLowerCase() !== this.#options.origin) {
      return refusal(403, 'Pages of other origins may not call this server.');
    }
    // RFC 9728: from there a client finds the way to ask for one.
    const challenge = `Bearer resource_metadata="${this.#options.origin}${RESOURCE_METADATA_ADDRESS}/mcp"`;
    const secret = secretIn(request.headers.get('authorization'));
    if (secret === null)
      return unauthorized('This server needs a token: Authorization: Bearer TOKEN.', challenge);
    const admitted = await this.#admission.admit(secret);
    if (admitted === null) {
      return unauthorized(
        'The token is none of this server, has ended or was revoked, or its person has to log in again.',
        `${challenge}, error="invalid_token"`,
      );
    }
    if (admitted.rights.wikis.size === 0) {
      this.#admission.refused(admitted);
      return refusal(403, 'The person of this token may see none of the wikis that it is for.');
    }
    const endpoint = await this.#endpointOf(admitted);
    return endpoint.fetch(request, sent, this.#admission.untilRevoked(secret, admitted.key, sent));
  }

  async close(): Promise<void> {
    const kept = [...this.#kept.values()];
    await Promise.all(kept.map(async (endpoint) => (await endpoint.catch(() => null))?.close()));
  }

  #endpointOf(admitted: Admitted): Promise<Endpoint> {
    const { key } = admitted;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const opened = this.#open(admitted).catch((error: unknown) => {
      this.#kept.delete(key);
      throw error;
    });
    this.#kept.set(key, opened);
    return opened;
  }

  #open(admitted: Admitted): Promise<Endpoint> {
    const onlyReads = [...admitted.rights.wikis.values()].every(({ write }) => write.length === 0);
    const { author } = admitted;
    return this.#options.open({ ...this.#admission.wikisOf(admitted), author, onlyReads });
  }
}

/** The secret of the header; null if it has none that could be one. */
function secretIn(header: string | null): string | null {
  if (header === null || header.length > MAX_HEADER) return null;
  return /^bearer +([\w.~+/=-]+)$/i.exec(header)?.[1] ?? null;
}

function unauthorized(sentence: string, challenge: string): Response {
  return refusal(401, sentence, { 'WWW-Authenticate': challenge });
}

/** As JSON-RPC says it, without the id of a request, as none was read. */
function refusal(status: number, message: string, headers: Record<string, string> = {}): Response {
  const body = { jsonrpc: '2.0', error: { code: -32_600, message } };
  return Response.json(body, { status, headers: { ...headers, 'Cache-Control': 'no-store' } });
}

/** An endpoint without requests is some hundred kilobytes. */
const MAX_ENDPOINTS = 200;
const MAX_HEADER = 4_000;
