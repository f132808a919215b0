import { generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  DeleteParametersCommand,
  GetParameterCommand,
  ParameterAlreadyExists,
  ParameterNotFound,
  type ParameterType,
  PutParameterCommand,
  type SSMClient,
} from '@aws-sdk/client-ssm';
import { z } from 'zod';
import type { ParameterNames } from './parameter-names.ts';

const base64url = z.string().regex(/^[\w-]{43}$/);

/** As the function of the pages reads them. */
const keysSchema = z.object({
  session: base64url,
  grants: z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: base64url, d: base64url }),
});

export type EnsuredKeys =
  | { kind: 'keys' /** The public key of the grants. */; grantKey: string }
  | { kind: 'mistake'; sentence: string };

/**
 * Makes the keys of the pages that are not there, and overwrites none. The private key is first: the public one follows
 * from it, so two deployments at once, or one that was interrupted, end with keys that fit.
 *
 * @throws The SDK's errors.
 */
export async function ensureKeys(client: SSMClient, names: ParameterNames): Promise<EnsuredKeys> {
  const stored = await readOrMake(client, names.keys, 'SecureString', () => JSON.stringify(newKeys()));
  const keys = keysSchema.safeParse(parsedJson(stored));
  if (!keys.success)
    return {
      kind: 'mistake',
      sentence: `The parameter ${names.keys} in Systems Manager does not hold the keys of the pages. Delete it and ${names.grantKey}, then deploy again: that makes new ones, and everybody has to log in again.`,
    };
  const { x: grantKey } = keys.data.grants;
  if ((await readOrMake(client, names.grantKey, 'String', () => grantKey)) === grantKey)
    return { kind: 'keys', grantKey };
  return {
    kind: 'mistake',
    sentence: `The parameter ${names.grantKey} in Systems Manager does not fit ${names.keys}. Delete ${names.grantKey}, then deploy again: it is made from the other one.`,
  };
}

/** Stores the client's secret, in the place of an older one. @throws The SDK's errors. */
export async function storeClientSecret(client: SSMClient, name: string, secret: string): Promise<void> {
  await client.send(
    new PutParameterCommand({ Name: name, Value: secret, Type: 'SecureString', Overwrite: true }),
  );
}

/** The value of a parameter; null if it is not there. @throws The SDK's errors. */
export async function readParameter(client: SSMClient, name: string): Promise<string | null> {
  try {
    const { Parameter: parameter } = await client.send(
      new GetParameterCommand({ Name: name, WithDecryption: true }),
    );
    return parameter?.Value ?? '';
  } catch (error) {
    if (error instanceof ParameterNotFound) return null;
    throw error;
  }
}

/** Those that are not there are no mistake. @throws The SDK's errors. */
export async function deleteParameters(client: SSMClient, names: ParameterNames): Promise<void> {
  await client.send(new DeleteParametersCommand({ Names: Object.values(names) }));
}

async function readOrMake(
  client: SSMClient,
  name: string,
  type: ParameterType,
  make: () => string,
): Promise<string> {
  const there = await readParameter(client, name);
  if (there !== null) return there;
  const value = make();
  try {
    await client.send(new PutParameterCommand({ Name: name, Value: value, Type: type }));
    return value;
  } catch (error) {
    // Another deployment was faster.
    if (!(error instanceof ParameterAlreadyExists)) throw error;
    return (await readParameter(client, name)) ?? '';
  }
}

function newKeys(): z.output<typeof keysSchema> {
  const { kty, crv, x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return keysSchema.parse({ session: randomBytes(32).toString('base64url'), grants: { kty, crv, x, d } });
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
