import { givenRights } from '@pagetree/access/given-rights';
import { limitToRights } from '@pagetree/access/limit-to-rights';
import type { Access } from '@pagetree/access/parse-access';
import { type Person, type Rights, rightsKey, rightsOf } from '@pagetree/access/rights';
import { type Author, methodOf, type Wiki, wikiOf } from '@pagetree/wiki/contract';
import type { Audit } from '../login/audit.ts';
import { authorOf } from '../login/person.ts';
import type { Bearer, Bearers } from './bearers.ts';

export interface AdmissionOptions {
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
}

/** A client that acts for a person. */
export interface Admitted {
  bearer: Bearer;
  rights: Rights;
  author: Author;
  /** Equal as long as the client may do the same. */
  key: string;
}

/** Lets clients in, each with the rights of its person at that moment, and of these only what the person gave. */
export class Admission {
  readonly #options: AdmissionOptions;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** Null if the secret is none, has ended or was revoked. */
  async admit(secret: string): Promise<Admitted | null> {
    for (const bearers of this.#options.bearers) {
      const bearer = await bearers.of(secret);
      if (bearer === null) continue;
      const rights = givenRights(rightsOf(bearer.person, this.#options.access()), bearer.given);
      const author = authorOf(bearer.person);
      return { bearer, rights, author, key: JSON.stringify([bearer.client.id, author, rightsKey(rights)]) };
    }
    return null;
  }

  /** The wiki as the client may see and change it, and the same for looks that are not audited. */
  wikisOf({ bearer, rights }: Admitted): { wiki: Wiki; watched: Wiki } {
    const { defaultWiki, audit, wikiFor } = this.#options;
    const { person, client } = bearer;
    const { issuer, subject } = person;
    const reached = wikiFor(person, rights);
    const limited = limitToRights(reached, rights, {
      person,
      defaultWiki,
      decided: (decision) => audit({ event: 'access', person: { issuer, subject }, client, decision }),
    });
    // To listen is an access when it begins. The looks that follow, one a second, are none.
    const watched = limitToRights(reached, rights, { person, defaultWiki, decided: () => {} });
    return { wiki: namedAtLeast(client.name, limited), watched };
  }

  /** Notes that a client was let do nothing at all. */
  refused({ bearer: { person, client } }: Admitted): void {
    const { issuer, subject } = person;
    this.#options.audit({ event: 'client refused', person: { issuer, subject }, client });
  }

  /** Notes a push that was refused before anything was looked at. */
  refusedPush({ bearer: { person, client } }: Admitted, wiki: string): void {
    const { issuer, subject } = person;
    const decision = {
      operation: 'receive_push',
      wiki,
      isAllowed: false,
      effect: 'write',
      commit: null,
    } as const;
    this.#options.audit({ event: 'access', person: { issuer, subject }, client, decision });
  }

  /** Aborts when the client may not do any more what it may now. Until the answer is sent it is looked at now and then. */
  untilRevoked(secret: string, key: string, sent: Promise<unknown>): AbortSignal {
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

  async #lookAndAdmit(secret: string): Promise<Admitted | null> {
    await this.#options.look?.();
    return this.admit(secret);
  }
}

/** A change by a client that does not say its name is not taken for one by the person. */
function namedAtLeast(name: string, wiki: Wiki): Wiki {
  return wikiOf((operation, input, call) => {
    const caller = { ...call.caller, agent: call.caller.agent ?? name };
    return methodOf(wiki, operation)(input, { ...call, caller });
  });
}

/** Short enough that a revoked token, or rules that are believed for three seconds, end an answer within five. */
const LOOK_EVERY_MS = 2_000;
