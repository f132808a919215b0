import { connect, dispatch, type Wiki } from '@pagetree/wiki/contract';
import { exportJWK, generateKeyPair } from 'jose';
import { admitGranted } from '../../../wiki-lambda/src/admission.ts';
import { openSigner } from '../../src/grants/sign-grant.ts';
import type { Person, Rights } from '../../src/rights.ts';

/**
 * The wiki behind a function that asks each call for a grant, as the function before it signs one for this person. Each call
 * is made with forged claims first, which must be refused.
 */
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
  const foreign = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const signAsStranger = await openSigner(await exportJWK(foreign.privateKey), Date.now);
  return connect(async (request) => {
    const honest = await sign(request, person, rights);
    const forged = {
      'rights that were written in': { ...honest, grant: withAllRights(honest.grant) },
      'the key of a stranger': await signAsStranger(request, person, ALL_RIGHTS),
      'the grant of another call': {
        ...honest,
        grant: (await sign({ ...request, input: { of: 'another call' } }, person, ALL_RIGHTS)).grant,
      },
      'the author of somebody else': {
        ...honest,
        caller: { ...request.caller, author: { name: 'Root', email: 'root@example.org' } },
      },
      'no grant': request,
    };
    for (const [what, event] of Object.entries(forged)) {
      if ((await admit(travelled(event))).kind !== 'refused') throw new Error(`Taken: ${what}`);
    }
    const admitted = await admit(travelled(honest));
    if (admitted.kind === 'refused') throw new Error(admitted.why);
    return travelled(await dispatch(admitted.wiki, admitted.request));
  });
}

const ALL_RIGHTS: Rights = {
  wikis: new Map([['*', { read: [''], write: [''], mayAdminister: true }]]),
};

function withAllRights(grant: string): string {
  const [head, body = '', proof] = grant.split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
  const rights = [['*', [''], [''], true]];
  return [head, Buffer.from(JSON.stringify({ ...claims, rights })).toString('base64url'), proof].join('.');
}

function travelled(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
