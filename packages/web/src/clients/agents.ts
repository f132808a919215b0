import { givenRights } from '@pagetree/access/given-rights';
import { limitToRights } from '@pagetree/access/limit-to-rights';
import type { Access } from '@pagetree/access/parse-access';
import { type Person, type Rights, rightsKey, rightsOf } from '@pagetree/access/rights';
import { type Author, methodOf, type Wiki, wikiOf } from '@pagetree/wiki/contract';
import { LRUCache } from 'lru-cache';
import type { Audit } from '../login/audit.ts';
import { authorOf } from '../login/person.ts';
import { RESOURCE_METADATA_ADDRESS } from '../oauth/addresses.ts';
import type { Endpoint } from '../site/view-tools.ts';
import type { Bearer, Bearers } from './bearers.ts';

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

export interface AgentsOptions {
  /** The origin of these pages in the browser. */
  origin: string;
  bearers: readonly Bearers[];
  /** The rules as they are now. */
  access(): Access;
  /** Looks at the rules while an answer lasts, if nothing else does. Rejects if they cannot be known. */
  look?(): Promise<void>;
  /** The wiki that a person with these rights asks. It need not keep to them. */
  wikiFor(person: Person, rights: Rights): Wiki;
  /** The configured default wiki, or null. */
  defaultWiki: string | null;
  audit: Audit;
  open(caller: AgentCaller): Promise<Endpoint>;
}

/**
 * Answers agents that act for people, each with the rights of its person at that moment, and of these only what the person
 * gave. An endpoint is of one client with the same rights: nothing of it is anybody else's.
 */
export class Agents {
  readonly #options: AgentsOptions;
  readonly #kept = new LRUCache<string, Promise<Endpoint>>({ max: MAX_ENDPOINTS });

  constructor(options: AgentsOptions) {
    this.#options = options;
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
    const admitted = await this.#admit(secret);
    if (admitted === null) {
      return unauthorized(
        'The token is none of this server, has ended or was revoked, or its person has to log in again.',
        `${challenge}, error="invalid_token"`,
      );
    }
    if (admitted.rights.wikis.size === 0) {
      return refusal(403, 'The person of this token may see none of the wikis that it is for.');
    }
    const endpoint = await this.#endpointOf(admitted);
    return endpoint.fetch(request, sent, this.#untilRevoked(secret, admitted.key, sent));
  }

  async close(): Promise<void> {
    const kept = [...this.#kept.values()];
    await Promise.all(kept.map(async (endpoint) => (await endpoint.catch(() => null))?.close()));
  }

  async #admit(secret: string): Promise<Admitted | null> {
    for (const bearers of this.#options.bearers) {
      const bearer = await bearers.of(secret);
      if (bearer === null) continue;
      const rights = givenRights(rightsOf(bearer.person, this.#options.access()), bearer.given);
      const author = authorOf(bearer.person);
      return { bearer, rights, author, key: JSON.stringify([bearer.client.id, author, rightsKey(rights)]) };
    }
    return null;
  }

  async #lookAndAdmit(secret: string): Promise<Admitted | null> {
    await this.#options.look?.();
    return this.#admit(secret);
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

  #open({ bearer, rights, author }: Admitted): Promise<Endpoint> {
    const { defaultWiki, audit, wikiFor, open } = this.#options;
    const { person, client } = bearer;
    const { issuer, subject } = person;
    const reached = wikiFor(person, rights);
    const limited = limitToRights(reached, rights, {
      defaultWiki,
      decided: (decision) => audit({ event: 'access', person: { issuer, subject }, client, decision }),
    });
    // To listen is an access when it begins. The looks that follow, one a second, are none.
    const watched = limitToRights(reached, rights, { defaultWiki, decided: () => {} });
    const onlyReads = [...rights.wikis.values()].every(({ write }) => write.length === 0);
    return open({ wiki: namedAtLeast(client.name, limited), watched, author, onlyReads });
  }

  /** Aborts when the client may not do any more what it may now. Until the answer is sent it is looked at now and then. */
  #untilRevoked(secret: string, key: string, sent: Promise<unknown>): AbortSignal {
    const revoked = new AbortController();
    const timer = setInterval(async () => {
      // If it cannot be known, it is not.
      const present = await this.#lookAndAdmit(secret).catch(() => null);
      if (present?.key !== key) revoked.abort();
    }, LOOK_EVERY_MS);
    timer.unref();
    const stop = () => clearInterval(timer);
    revoked.signal.addEventListener('abort', stop, { once: true });
    void sent.then(stop, stop);
    return revoked.signal;
  }
}

interface Admitted {
  bearer: Bearer;
  rights: Rights;
  author: Author;
  /** Equal as long as the client may do the same. */
  key: string;
}

/** A change by a client that does not say its name is not taken for one by the person. */
function namedAtLeast(name: string, wiki: Wiki): Wiki {
  return wikiOf((operation, input, call) => {
    const caller = { ...call.caller, agent: call.caller.agent ?? name };
    return methodOf(wiki, operation)(input, { ...call, caller });
  });
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
/** Short enough that a revoked token, or rules that are believed for three seconds, end an answer within five. */
const LOOK_EVERY_MS = 2_000;
