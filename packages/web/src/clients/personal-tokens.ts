import { randomBytes } from 'node:crypto';
import { type Given, given } from '@pagetree/access/given-rights';
import type { Person } from '@pagetree/access/rights';
import * as z from 'zod';
import { personDigest } from '../login/person.ts';
import { digestOf } from '../oauth/record-kinds.ts';
import type { Records, StoredRecord } from '../records/records.ts';
import type { Bearer, Bearers } from './bearers.ts';
import type { KnownPeople } from './known-people.ts';

const token = z.strictObject({
  name: z.string(),
  given,
  madeMs: z.number(),
  /** Null until it is used. */
  usedMs: z.number().nullable(),
});

/** A token as its person sees it in the list: the secret itself is kept nowhere. */
export interface PersonalToken extends z.output<typeof token> {
  id: string;
  untilMs: number;
}

/** A new token, as its person describes it. */
export interface NewToken {
  name: string;
  given: Given;
  untilMs: number;
}

/** Tokens that people make for scripts and for clients that cannot log in. Kept is their digest. */
export class PersonalTokens implements Bearers {
  readonly #records: Records;
  readonly #people: Pick<KnownPeople, 'find'>;
  readonly #now: () => number;

  /** The clock is in milliseconds since 1970. */
  constructor(records: Records, people: Pick<KnownPeople, 'find'>, now: () => number) {
    this.#records = records;
    this.#people = people;
    this.#now = now;
  }

  /** Returns the secret, which is shown once; null if the person has as many as there may be. */
  async make(person: Person, { untilMs, ...of }: NewToken): Promise<{ id: string; secret: string } | null> {
    if ((await this.list(person)).length >= MAX_TOKENS) return null;
    const secret = PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
    const value: z.output<typeof token> = { ...of, madeMs: this.#now(), usedMs: null };
    const id = digestOf(secret);
    await this.#records.put(KIND, id, { value, owner: personDigest(person), untilMs });
    return { id, secret };
  }

  /** Those that have not ended, the newest first. */
  async list(person: Person): Promise<PersonalToken[]> {
    const found = await this.#records.of(KIND, personDigest(person));
    return found.map((record) => ({ id: record.id, ...tokenIn(record) })).sort((a, b) => b.madeMs - a.madeMs);
  }

  /** Returns whether the person had such a token. */
  async revoke(person: Person, id: string): Promise<boolean> {
    const record = await this.#records.get(KIND, id);
    return record?.owner === personDigest(person) && (await this.#records.remove(KIND, id));
  }

  async of(secret: string): Promise<Bearer | null> {
    if (!SECRET.test(secret)) return null;
    const id = digestOf(secret);
    const record = await this.#records.get(KIND, id);
    const person = record?.owner == null ? null : await this.#people.find(record.owner);
    if (record === null || person === null) return null;
    const { name, given: gave, usedMs } = tokenIn(record);
    const now = this.#now();
    if (usedMs === null || now - usedMs > NOTED_EVERY_MS) {
      await this.#records.change(KIND, id, (last) => ({
        ...last,
        value: { ...token.parse(last.value), usedMs: now },
      }));
    }
    return { person, given: gave, client: { kind: 'token', id, name } };
  }
}

function tokenIn({ value, untilMs }: StoredRecord): Omit<PersonalToken, 'id'> {
  return { ...token.parse(value), untilMs: untilMs ?? 0 };
}

const KIND = 'personal token';
/** Scanners of source code find it by this. */
const PREFIX = 'pagetree_pat_';
const SECRET_BYTES = 32;
const SECRET = /^pagetree_pat_[\w-]{43}$/;
const MAX_TOKENS = 50;
const NOTED_EVERY_MS = 3_600_000;
