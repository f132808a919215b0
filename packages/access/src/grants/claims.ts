import type { Request } from '@pagetree/wiki/contract';
import { encode } from 'jose/base64url';
import * as z from 'zod';
import type { Person, Rights } from '../rights.ts';

/** The person whom a grant names, as a log has them. */
export type Granted = Pick<Person, 'issuer' | 'subject'>;

/** Kept apart from every other token that the same key could ever sign. */
export const GRANT_TYPE = 'pagetree-grant+jwt';
export const ALGORITHM = 'EdDSA';

const folders = z.array(z.string());

/** A grant as it is signed: who calls, what they may do, and for which request. */
export const claims = z.strictObject({
  person: z.strictObject({ issuer: z.string(), subject: z.string() }),
  rights: z.array(z.tuple([z.string(), folders, folders, z.boolean()])),
  request: z.string(),
  iat: z.int(),
  exp: z.int(),
});

export function rightsClaim({ wikis }: Rights): z.output<typeof claims>['rights'] {
  return [...wikis].map(([name, { read, write, mayAdminister }]) => [
    name,
    [...read],
    [...write],
    mayAdminister,
  ]);
}

export function rightsIn(claim: z.output<typeof claims>['rights']): Rights {
  return {
    wikis: new Map(claim.map(([name, read, write, mayAdminister]) => [name, { read, write, mayAdminister }])),
  };
}

/**
 * The digest of all that a request says, and of the author whom it names. What it states about the contract is not in it:
 * a request is sent again with another statement.
 */
export async function requestDigest({ operation, input, caller, scope, content }: Request): Promise<string> {
  // JSON that was parsed is written as it was before, keys in the same order.
  const text = JSON.stringify([
    operation,
    input ?? null,
    caller,
    scope ?? null,
    ...(content ? [content] : []),
  ]);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return encode(new Uint8Array(digest));
}
