import type { Given } from '@pagetree/access/given-rights';
import type { Person } from '@pagetree/access/rights';

/** The person for whom a client acts, and what they gave to it. */
export interface Bearer {
  person: Person;
  given: Given;
  client: { kind: 'token' | 'oauth'; id: string; name: string };
}

/** The secrets of one kind with which clients come. */
export interface Bearers {
  /** Null if the secret is none of these, has ended or was revoked, or if its person is not known any more. */
  of(secret: string): Promise<Bearer | null>;
}
