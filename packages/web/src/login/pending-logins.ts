import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Sealer } from './sealer.ts';

const pending = z.strictObject({
  /** Proves that the answer belongs to a request of this browser. */
  state: z.string(),
  /** Proves that the ID token belongs to it. */
  nonce: z.string(),
  /** Proves to the issuer that the code is redeemed by its recipient (PKCE). */
  verifier: z.string(),
  /** Where the person goes after the login. */
  to: z.string(),
  begun: z.number(),
});

export type PendingLogin = z.output<typeof pending>;

type Cookies = Readonly<Record<string, string>>;

/** The logins that a browser has begun, one in each tab: each in an encrypted cookie, named after its state. */
export class PendingLogins {
  readonly #sealer: Sealer;
  readonly #now: () => number;
  readonly #prefix: string;

  constructor(sealer: Sealer, now: () => number, prefix: string) {
    this.#sealer = sealer;
    this.#now = now;
    this.#prefix = prefix;
  }

  begin(to: string): PendingLogin {
    const [state = '', nonce = '', verifier = ''] = Array.from({ length: 3 }, () =>
      randomBytes(SECRET_BYTES).toString('base64url'),
    );
    return { state, nonce, verifier, to, begun: this.#now() };
  }

  seal(login: PendingLogin): Promise<string> {
    return this.#sealer.seal('pending login', login, login.begun + PENDING_MS);
  }

  /** The name of the cookie. States of other browsers have names of their own, which say nothing of the whole state. */
  nameOf({ state }: Pick<PendingLogin, 'state'>): string {
    return this.#prefix + state.slice(0, NAME_CHARACTERS);
  }

  /** The login with this state, if this browser began it. */
  async find(cookies: Cookies, state: string): Promise<PendingLogin | null> {
    const sealed = cookies[this.nameOf({ state })];
    const login = sealed === undefined ? null : await this.#sealer.open('pending login', sealed, pending);
    return login?.state === state ? login : null;
  }

  /** The names of cookies to remove before another login begins: those of no use, and all but the newest ones. */
  async surplus(cookies: Cookies): Promise<string[]> {
    const names = Object.keys(cookies).filter((name) => name.startsWith(this.#prefix));
    const begun = new Map<string, number>();
    for (const name of names) {
      const login = await this.#sealer.open('pending login', cookies[name] ?? '', pending);
      begun.set(name, login?.begun ?? 0);
    }
    const oldestFirst = names.toSorted((one, other) => (begun.get(one) ?? 0) - (begun.get(other) ?? 0));
    const tooMany = new Set(oldestFirst.slice(0, Math.max(0, names.length - MAX_PENDING + 1)));
    return names.filter((name) => tooMany.has(name) || begun.get(name) === 0);
  }
}

const SECRET_BYTES = 32;
const NAME_CHARACTERS = 12;
export const PENDING_MS = 10 * 60_000;
/** Each is some hundred bytes, which a browser sends with every request. */
const MAX_PENDING = 4;
