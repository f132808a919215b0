import { given } from '@pagetree/access/given-rights';
import type { Person } from '@pagetree/access/rights';
import * as z from 'zod';
import type { Bearer, Bearers } from '../clients/bearers.ts';
import type { KnownPeople } from '../clients/known-people.ts';
import { personDigest } from '../login/person.ts';
import type { Records, StoredRecord } from '../records/records.ts';
import { WRITE } from './addresses.ts';
import { digestOf, kindOf } from './record-kinds.ts';

const gift = z.strictObject({
  given,
  clientId: z.string(),
  /** As the client calls itself. */
  name: z.string(),
  /** Where the client got its code: a host, or a program on the person's own machine. */
  place: z.string(),
  madeMs: z.number(),
  /** Null until it is used. */
  usedMs: z.number().nullable(),
});

/** A client that a person connected, with what they gave to it. */
export interface ConnectedClient extends z.output<typeof gift> {
  id: string;
}

/** Gifts: the rights that people gave to clients at their consent. An access token counts as long as its gift is there. */
export class Gifts implements Bearers {
  readonly #records: Records;
  readonly #people: Pick<KnownPeople, 'find'>;
  readonly #resource: string;
  readonly #now: () => number;

  /** Tokens count for this resource alone. The clock is in milliseconds since 1970. */
  constructor(records: Records, people: Pick<KnownPeople, 'find'>, resource: string, now: () => number) {
    this.#records = records;
    this.#people = people;
    this.#resource = resource;
    this.#now = now;
  }

  /** Returns its id, which is no secret. */
  async make(
    person: Person,
    grantId: string,
    { untilMs, ...of }: Pick<ConnectedClient, 'given' | 'clientId' | 'name' | 'place'> & { untilMs: number },
  ): Promise<string> {
    await this.#makeRoom(person);
    const value: z.output<typeof gift> = { ...of, madeMs: this.#now(), usedMs: null };
    const id = digestOf(grantId);
    await this.#records.put(KIND, id, { value, owner: personDigest(person), untilMs });
    await this.#records.put(CONNECTED, digestOf(of.clientId), { value: {}, owner: null, untilMs });
    // A client that registered is kept as long as what it was given.
    await this.#records.change(kindOf('Client'), of.clientId, (client) => ({ ...client, untilMs }));
    return id;
  }

  /** Returns whether somebody connected the client in the last year. */
  async isConnected(clientId: string): Promise<boolean> {
    return (await this.#records.get(CONNECTED, digestOf(clientId))) !== null;
  }

  /** The newest first. One whose grant is gone was ended by its client, or by a second use of a refresh token. */
  async list(person: Person): Promise<ConnectedClient[]> {
    const found = await this.#records.of(KIND, personDigest(person));
    const grants = await Promise.all(found.map(({ id }) => this.#records.get(kindOf('Grant'), id)));
    return found
      .filter((_, at) => grants[at] !== null)
      .map(({ id, value }) => ({ id, ...gift.parse(value) }))
      .sort((one, other) => other.madeMs - one.madeMs);
  }

  /** Ends all tokens of the client for this person. Returns whether there was such a client. */
  async revoke(person: Person, id: string): Promise<boolean> {
    const record = await this.#records.get(KIND, id);
    if (record?.owner !== personDigest(person)) return false;
    await this.#records.remove(kindOf('Grant'), id);
    return this.#records.remove(KIND, id);
  }

  /** Forgets what was given by a grant that ended by itself. Returns who gave it; null if that is not known any more. */
  async end(grantId: string): Promise<{ person: Person; id: string } | null> {
    const id = digestOf(grantId);
    const record = await this.#records.get(KIND, id);
    const didEnd = await this.#records.remove(KIND, id);
    const person = record?.owner == null || !didEnd ? null : await this.#people.find(record.owner);
    return person === null ? null : { person, id };
  }

  async of(secret: string): Promise<Bearer | null> {
    if (!SECRET.test(secret)) return null;
    const issued = accessToken.safeParse(
      (await this.#records.get(kindOf('AccessToken'), digestOf(secret)))?.value,
    );
    if (!issued.success || issued.data.aud !== this.#resource) return null;
    const id = digestOf(issued.data.grantId);
    const [record, grant, person] = await Promise.all([
      this.#records.get(KIND, id),
      this.#records.get(kindOf('Grant'), id),
      this.#people.find(issued.data.accountId),
    ]);
    if (record === null || grant === null || person === null || record.owner !== issued.data.accountId)
      return null;
    const { given: gave, name } = gift.parse(record.value);
    await this.#noteUse(id, record);
    // A client may ask for a token that can do less, to hand it on.
    const may = issued.data.scope.split(' ').includes(WRITE) ? gave.may : 'read';
    return { person, given: { ...gave, may }, client: { kind: 'oauth', id, name } };
  }

  /** Removes what ended by itself and, of too many, those that were not used for longest. */
  async #makeRoom(person: Person): Promise<void> {
    const lastMs = ({ madeMs, usedMs }: ConnectedClient) => usedMs ?? madeMs;
    const alive = (await this.list(person)).sort((one, other) => lastMs(other) - lastMs(one));
    const staying = new Set(alive.slice(0, MAX_CLIENTS - 1).map(({ id }) => id));
    for (const { id } of await this.#records.of(KIND, personDigest(person)))
      if (!staying.has(id)) await this.revoke(person, id);
  }

  async #noteUse(id: string, { value }: StoredRecord): Promise<void> {
    const { usedMs } = gift.parse(value);
    const now = this.#now();
    if (usedMs !== null && now - usedMs <= NOTED_EVERY_MS) return;
    await this.#records.change(KIND, id, (last) => ({
      ...last,
      value: { ...gift.parse(last.value), usedMs: now },
    }));
  }
}

/** As the provider keeps it. */
const accessToken = z.object({
  aud: z.string(),
  grantId: z.string(),
  accountId: z.string(),
  scope: z.string(),
});

const KIND = 'oauth gift';
const CONNECTED = 'oauth connected client';
const SECRET = /^[\w-]{20,100}$/;
/** The limit of each person. */
const MAX_CLIENTS = 50;
const NOTED_EVERY_MS = 3_600_000;
