import type { Person } from '@pagetree/access/rights';
import { personDigest } from '../login/person.ts';
import { parsePerson } from '../login/sessions.ts';
import type { Records } from '../records/records.ts';

/**
 * People as the issuer described them at their latest login, for the clients that act for them. A person who has not
 * logged in for thirty days is not known any more: the issuer may have closed the account since, which only a login shows.
 */
export class KnownPeople {
  readonly #records: Records;
  readonly #issuer: string;
  readonly #now: () => number;

  /** People of another issuer than this one are not known. The clock is in milliseconds since 1970. */
  constructor(records: Records, issuer: string, now: () => number) {
    this.#records = records;
    this.#issuer = issuer;
    this.#now = now;
  }

  /** Rejects if the person cannot be stored. */
  async remember(person: Person): Promise<void> {
    const record = { value: person, owner: null, untilMs: this.#now() + KNOWN_MS };
    await this.#records.put(KIND, personDigest(person), record);
  }

  /** True if clients of the person have no other rights by what is known than by this description. */
  async isUnchanged(person: Person): Promise<boolean> {
    const known = await this.find(personDigest(person));
    return known === null || rightsPartOf(known) === rightsPartOf(person);
  }

  /** `digest` is that of `personDigest`. */
  async find(digest: string): Promise<Person | null> {
    const record = await this.#records.get(KIND, digest);
    const person = record === null ? null : parsePerson(record.value);
    return person?.issuer === this.#issuer ? person : null;
  }
}

/** What rules can name of a person. */
function rightsPartOf({ email, groups }: Person): string {
  return JSON.stringify([email, [...groups].sort()]);
}

const KIND = 'person';
const KNOWN_MS = 30 * 24 * 3_600_000;
