import { connect, dispatch, type Wiki } from '@pagetree/wiki/contract';
import { exportJWK, generateKeyPair } from 'jose';
import { admitGranted } from '../../../wiki-lambda/src/admission.ts';
import { openSigner } from '../../src/grants/sign-grant.ts';
import type { Person, Rights } from '../../src/rights.ts';

/** The wiki behind a function that asks each call for a grant, as the function before it signs one for this person. */
export async function behindFunction(
  wiki: Wiki,
  person: Person,
  rights: Rights,
  defaultWiki: string,
): Promise<Wiki> {
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const sign = await openSigner(await exportJWK(pair.privateKey), Date.now);
  const { x: key = '' } = await exportJWK(pair.publicKey);
  const admit = await admitGranted(wiki, { key, defaultWiki, now: Date.now });
  return connect(async (request) => {
    const admitted = await admit(travelled(await sign(request, person, rights)));
    if (admitted.kind === 'refused') throw new Error(admitted.why);
    return travelled(await dispatch(admitted.wiki, admitted.request));
  });
}

function travelled(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
