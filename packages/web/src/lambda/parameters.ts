import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import * as z from 'zod';

/** Secrets in AWS Systems Manager. */
export interface Parameters {
  keys(): Promise<Keys>;
  clientSecret(): Promise<string | null>;
}

export type Keys = z.output<typeof keys>;

const base64url = z.string().regex(/^[\w-]{43}$/);

const keys = z.strictObject({
  /** The key of the cookies, 32 bytes. */
  session: base64url.transform((text) => Buffer.from(text, 'base64url')),
  /** The private key of the grants. */
  grants: z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: base64url, d: base64url }),
});

/** Reads nothing before it is asked. Waits no longer than a part of Lambda's init phase, and repeats once what passes. */
export function openParameters(names: { keys: string; clientSecret: string | null }): Parameters {
  const client = new SSMClient({
    maxAttempts: 2,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
  });
  const read = async (name: string) => {
    const command = new GetParameterCommand({ Name: name, WithDecryption: true });
    const { Parameter: parameter } = await client.send(command);
    return parameter?.Value ?? '';
  };
  return {
    async keys() {
      const parsed = keys.safeParse(parsedJson(await read(names.keys)));
      if (parsed.success) return parsed.data;
      // Its faults would quote the keys.
      throw new Error(`The parameter ${names.keys} does not hold the keys that \`pnpm deploy:aws\` makes.`);
    },
    clientSecret: async () => (names.clientSecret === null ? null : read(names.clientSecret)),
  };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
