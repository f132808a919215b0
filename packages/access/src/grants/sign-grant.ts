import type { Request } from '@pagetree/wiki/contract';
import type { JWK } from 'jose';
import { SignJWT } from 'jose/jwt/sign';
import { importJWK } from 'jose/key/import';
import type { Rights } from '../rights.ts';
import { ALGORITHM, GRANT_TYPE, type Granted, requestDigest, rightsClaim } from './claims.ts';

/** A request with the proof that a person with these rights makes it. */
export interface GrantedRequest extends Request {
  grant: string;
}

/** Adds a grant to a request, for the next minute. An attempt that is repeated needs another one. */
export type SignGrant = (request: Request, person: Granted, rights: Rights) => Promise<GrantedRequest>;

/**
 * Signs requests for a server that has checked the rights of a person. `key` is a private Ed25519 key, `now` in milliseconds since 1970. Rejects if it is no
 * such key.
 */
export async function openSigner(key: JWK, now: () => number): Promise<SignGrant> {
  const privateKey = await importJWK(key, ALGORITHM);
  return async (request, { issuer, subject }, rights) => {
    const seconds = Math.floor(now() / 1_000);
    const grant = await new SignJWT({
      person: { issuer, subject },
      rights: rightsClaim(rights),
      request: await requestDigest(request),
    })
      .setProtectedHeader({ alg: ALGORITHM, typ: GRANT_TYPE })
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + GRANT_S)
      .sign(privateKey);
    return { ...request, grant };
  };
}

const GRANT_S = 60;
