import { type Request, WikiError } from '@pagetree/wiki/contract';
import { jwtVerify } from 'jose/jwt/verify';
import { importJWK } from 'jose/key/import';
import type { Rights } from '../rights.ts';
import { ALGORITHM, claims, GRANT_TYPE, type Granted, requestDigest, rightsIn } from './claims.ts';

export type ReadGrant =
  | { kind: 'granted'; request: unknown; person: Granted; rights: Rights }
  /** `why` is for the log. */
  | { kind: 'refused'; error: WikiError; why: string };

/**
 * Reads what comes from outside, whatever it is: of a request, the rights that were signed for it and for nothing else.
 * `key` is a public Ed25519 key in base64url, `now` in milliseconds since 1970. Rejects if it is no such key.
 */
export async function openGrantReader(
  key: string,
  now: () => number,
): Promise<(event: unknown) => Promise<ReadGrant>> {
  const publicKey = await importJWK({ kty: 'OKP', crv: 'Ed25519', x: key }, ALGORITHM);
  return async (event) => {
    if (typeof event !== 'object' || event === null || !('grant' in event)) return refused('it has none');
    const { grant, ...request } = event;
    if (typeof grant !== 'string') return refused('it is no text');
    try {
      const { payload } = await jwtVerify(grant, publicKey, {
        algorithms: [ALGORITHM],
        typ: GRANT_TYPE,
        currentDate: new Date(now()),
        clockTolerance: TOLERANCE_S,
        maxTokenAge: MAX_AGE_S,
        requiredClaims: ['exp'],
      });
      const { person, rights, request: digest } = claims.parse(payload);
      if (digest !== (await requestDigest(request as Request))) return refused('it is for another request');
      return { kind: 'granted', request, person, rights: rightsIn(rights) };
    } catch (error) {
      const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      // It may quote the head of the grant, which has no proof yet.
      return refused(why.slice(0, MAX_WHY));
    }
  };
}

function refused(why: string): ReadGrant {
  const text = {
    happened: 'This function answers only what the pages for people have asked for somebody who logged in.',
    now: 'Nothing was looked at or changed.',
    next: 'Open the wiki in the browser. A program with rights of its own calls the function that the stack names Function.',
  };
  return { kind: 'refused', error: new WikiError('forbidden', text), why };
}

/** Clocks of AWS differ by much less. */
const TOLERANCE_S = 5;
const MAX_AGE_S = 60;
const MAX_WHY = 300;
