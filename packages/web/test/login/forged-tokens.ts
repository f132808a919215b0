import { createSecretKey } from 'node:crypto';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { CLIENT, type Claims, type OwnIssuer } from './own-issuer.ts';

const seconds = () => Math.floor(Date.now() / 1_000);

function without(claims: Claims, name: string): Claims {
  return Object.fromEntries(Object.entries(claims).filter(([each]) => each !== name));
}

type Forged = (issuer: OwnIssuer, claims: Claims) => Promise<string>;

/** A token that is not as it should be, in one way each. */
export const FORGED_TOKENS: Readonly<Record<string, Forged>> = {
  'that expired': (issuer, claims) => issuer.sign({ ...claims, exp: seconds() - 61 }),
  'that never expires': (issuer, claims) => issuer.sign(without(claims, 'exp')),
  'from the future': (issuer, claims) => issuer.sign({ ...claims, iat: seconds() + 120 }),
  'that does not say when it was made': (issuer, claims) => issuer.sign(without(claims, 'iat')),
  'that is valid only later': (issuer, claims) => issuer.sign({ ...claims, nbf: seconds() + 120 }),
  'for another client': (issuer, claims) => issuer.sign({ ...claims, aud: 'another' }),
  'for nobody': (issuer, claims) => issuer.sign(without(claims, 'aud')),
  'for several clients': (issuer, claims) => issuer.sign({ ...claims, aud: [CLIENT.id, 'another'] }),
  'for several clients, issued to another one': (issuer, claims) =>
    issuer.sign({ ...claims, aud: [CLIENT.id, 'another'], azp: 'another' }),
  'issued to another client': (issuer, claims) => issuer.sign({ ...claims, azp: 'another' }),
  'of another issuer': (issuer, claims) => issuer.sign({ ...claims, iss: 'https://evil.example' }),
  'of an issuer with a slash more': (issuer, claims) => issuer.sign({ ...claims, iss: `${issuer.address}/` }),
  'of no issuer': (issuer, claims) => issuer.sign(without(claims, 'iss')),
  'of another login': (issuer, claims) => issuer.sign({ ...claims, nonce: 'x'.repeat(43) }),
  'of no login': (issuer, claims) => issuer.sign(without(claims, 'nonce')),
  'without a subject': (issuer, claims) => issuer.sign(without(claims, 'sub')),
  'with an empty subject': (issuer, claims) => issuer.sign({ ...claims, sub: '' }),
  'with another kind of subject': (issuer, claims) => issuer.sign({ ...claims, sub: 7 }),
  'signed with another key': async (_, claims) => {
    const { privateKey } = await generateKeyPair('RS256');
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey);
  },
  'signed with a key that it brings along': async (_, claims) => {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const jwk = await exportJWK(publicKey);
    return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', jwk }).sign(privateKey);
  },
  'signed with no key': async (_, claims) => `${encoded({ alg: 'none' })}.${encoded(claims)}.`,
  'of which the signature was cut off': async (issuer, claims) => {
    const [header, payload] = (await issuer.sign(claims)).split('.');
    return `${header}.${payload}.`;
  },
  'of which the claims were changed': async (issuer, claims) => {
    const [header, , signature] = (await issuer.sign(claims)).split('.');
    return `${header}.${encoded({ ...claims, sub: 'grace' })}.${signature}`;
  },
  "signed with the client's secret": (_, claims) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(CLIENT.secret)),
  "signed with the issuer's public key as a secret": async (issuer, claims) => {
    const secret = createSecretKey(Buffer.from(await exportSPKI(issuer.keys.publicKey)));
    return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(secret);
  },
  'with a header that nobody knows': async (issuer, claims) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'one', crit: ['x'], x: true } as never)
      .sign(issuer.keys.privateKey, { crit: { x: true } }),
  'that is none': async () => 'no.token.here',
};

function encoded(content: object): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}
