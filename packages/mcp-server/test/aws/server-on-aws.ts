import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { SdkClient } from '../sdk-client.ts';
import type { Respond } from './aws-endpoint.ts';

export const secret = 'SECRETKEY';
export const functionArn = 'arn:aws:lambda:eu-central-1:123456789012:function:pagetree:live';

const NOWHERE = join(import.meta.dirname, 'no-such-file');

export const answerNotFound = answer('not_found', 'There is no page "Home".');

/** The function's answer to a call that it refuses. */
export function answer(code: string, happened: string): Respond {
  const text = { happened, now: 'Nothing was changed.', next: 'Look.' };
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ok: false, error: { code, text, data: {} } }));
  };
}

export function endpointsAt(endpoint: string): Record<string, string> {
  return { AWS_ENDPOINT_URL_LAMBDA: endpoint, AWS_ENDPOINT_URL_CLOUDFORMATION: endpoint };
}

/** A server of the built bundle, for one test, that calls AWS's endpoints with credentials of nobody. */
export async function serverOnAws(
  bundle: string,
  env: Record<string, string>,
  args: string[] = [],
): Promise<SdkClient> {
  const aws = {
    // Not the git identity of this machine, whose length would count in the size of a call.
    PAGETREE_AUTHOR: 'Ada <ada@example.org>',
    PAGETREE_FUNCTION: functionArn,
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: secret,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: NOWHERE,
    AWS_SHARED_CREDENTIALS_FILE: NOWHERE,
  };
  const client = new SdkClient(process.execPath, [bundle, ...args], { ...aws, ...env });
  onTestFinished(() => client.close());
  return client.connect();
}
