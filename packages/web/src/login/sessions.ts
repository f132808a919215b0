import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Person } from '@pagetree/access/rights';
import * as z from 'zod';
import type { Sealer } from './sealer.ts';

const person = z.strictObject({
  issuer: z.string(),
  subject: z.string(),
  email: z.string().nullable(),
  name: z.string(),
  groups: z.array(z.string()),
});

const session = z.strictObject({
  id: z.string(),
  person,
  /** When the person logged in. All times are in milliseconds since 1970. */
  begun: z.number(),
  /** When the cookie was made. */
  renewed: z.number(),
});

export type Session = z.output<typeof session>;

/** A person as it was kept. Throws if the value is none. */
export function parsePerson(value: unknown): Person {
  return person.parse(value);
}

/**
 * The sessions that people ended, which no cookie brings back. Several processes with the same key must share them: each
 * would take a copied cookie that was signed out at another one.
 */
export interface EndedSessions {
  /** Remembers it until no cookie of it can be valid any more. */
  add(id: string, untilMs: number): Promise<void>;
  has(id: string): Promise<boolean>;
}

/** For one process. */
export class EndedInMemory implements EndedSessions {
  readonly #ended = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  async add(id: string, untilMs: number): Promise<void> {
    for (const [each, until] of this.#ended) if (until <= this.#now()) this.#ended.delete(each);
    this.#ended.set(id, untilMs);
  }

  async has(id: string): Promise<boolean> {
    return this.#ended.has(id);
  }
}

/** Sessions in encrypted cookies: nothing of one is kept here until it is ended. */
export class Sessions {
  readonly #sealer: Sealer;
  readonly #ended: EndedSessions;
  readonly #now: () => number;

  constructor(sealer: Sealer, ended: EndedSessions, now: () => number) {
    this.#sealer = sealer;
    this.#ended = ended;
    this.#now = now;
  }

  /** Always a session of its own, so that nobody can know it before the login. */
  begin(of: Person): Session {
    const now = this.#now();
    return {
      id: randomBytes(ID_BYTES).toString('base64url'),
      person: { ...of, groups: [...of.groups] },
      begun: now,
      renewed: now,
    };
  }

  seal(session: Session): Promise<string> {
    return this.#sealer.seal('session', session, endOf(session));
  }

  /** Null without a valid session. */
  async open(cookie: string | undefined): Promise<Session | null> {
    if (cookie === undefined) return null;
    const opened = await this.#sealer.open('session', cookie, session);
    return opened === null || (await this.#ended.has(opened.id)) ? null : opened;
  }

  /** A newer cookie of a session in use; null while the present one is new enough. */
  async renew(session: Session): Promise<string | null> {
    const now = this.#now();
    return now - session.renewed < RENEW_MS ? null : this.seal({ ...session, renewed: now });
  }

  end({ id, begun }: Session): Promise<void> {
    return this.#ended.add(id, begun + ABSOLUTE_MS);
  }

  /** The time that a stream may go on. */
  leftMs(session: Session): number {
    return endOf(session) - this.#now();
  }
}

/** The groups that fit into the cookie of a session; those that rules name come first. */
export function fittingGroups(groups: readonly string[], isNamed: (group: string) => boolean): string[] {
  const fitting: string[] = [];
  let bytes = 0;
  for (const group of [...groups.filter(isNamed), ...groups.filter((each) => !isNamed(each))]) {
    bytes += Buffer.byteLength(JSON.stringify(group)) + 1;
    if (bytes > MAX_GROUP_BYTES) break;
    fitting.push(group);
  }
  return fitting;
}

/** Proves that a form for this purpose was made for this session. */
export function formProof({ id }: Pick<Session, 'id'>, purpose: FormPurpose): string {
  return createHash('sha256').update(`${purpose} ${id}`).digest('base64url');
}

export type FormPurpose = 'sign out' | 'clients' | `consent ${string}`;

export function isFormProof(session: Session, purpose: FormPurpose, given: string): boolean {
  const [one, other] = [formProof(session, purpose), given].map((text) => Buffer.from(text));
  return one !== undefined && other?.length === one.length && timingSafeEqual(one, other);
}

function endOf({ begun, renewed }: Session): number {
  return Math.min(renewed + IDLE_MS, begun + ABSOLUTE_MS);
}

const ID_BYTES = 24;
const IDLE_MS = 60 * 60_000;
const ABSOLUTE_MS = 12 * IDLE_MS;
const RENEW_MS = 5 * 60_000;
/** The sealed text is a third longer. The rest is for the name, the address, the subject and the issuer. */
const MAX_GROUP_BYTES = 1_400;
