import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openFunctionClient } from './lambda-client.ts';
import { explainFailure } from './lambda-failures.ts';

const START_URL = 'https://example.awsapps.com/start';

/** The error of the SDK's own sign-in, whose session is good for this machine, and the portal's answer. */
async function refusedBy(portal: string): Promise<unknown> {
  const home = mkdtempSync(join(tmpdir(), 'sso-'));
  const cache = join(home, '.aws/sso/cache');
  mkdirSync(cache, { recursive: true });
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const token = { accessToken: 'SECRET-TOKEN', expiresAt, startUrl: START_URL, region: 'us-east-1' };
  const name = createHash('sha1').update(START_URL).digest('hex');
  writeFileSync(join(cache, `${name}.json`), JSON.stringify(token));
  const profile = [
    '[profile team]',
    `sso_start_url = ${START_URL}`,
    'sso_region = us-east-1',
    'sso_account_id = 111122223333',
    'sso_role_name = Writer',
    'region = us-east-1',
  ];
  writeFileSync(join(home, '.aws/config'), `${profile.join('\n')}\n`);
  const settings = {
    HOME: home,
    USERPROFILE: home,
    AWS_PROFILE: 'team',
    AWS_CONFIG_FILE: join(home, '.aws/config'),
    AWS_SHARED_CREDENTIALS_FILE: join(home, '.aws/credentials'),
    AWS_ENDPOINT_URL_SSO: portal,
    AWS_EC2_METADATA_DISABLED: 'true',
  };
  for (const [variable, value] of Object.entries(settings)) vi.stubEnv(variable, value);
  for (const variable of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'])
    vi.stubEnv(variable, undefined);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true });
  });
  const client = await openFunctionClient({ functionName: 'Wiki', region: 'us-east-1', emulated: false });
  onTestFinished(client.close);
  return client.warm().catch((error: unknown) => error);
}

async function portalAnswering(status: number, type: string, message: string): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-amzn-errortype': type });
    response.end(JSON.stringify({ message }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([
  [
    401,
    'UnauthorizedException',
    'Session token not found or invalid',
    /The sign-in to AWS \(SSO\).*Run `aws sso login`, with `--profile`/,
  ],
  [403, 'ForbiddenException', 'No access', /may not take the role of the AWS profile.*sso_role_name/],
  [404, 'ResourceNotFoundException', 'No such role SECRET', /may not take the role of the AWS profile/],
  [429, 'TooManyRequestsException', 'Slow down', /The sign-in to AWS \(SSO\) did not answer.*Try again/],
])(
  'a session that AWS refuses with %i %s is not reported as missing credentials',
  async (status, type, message, says) => {
    const error = await refusedBy(await portalAnswering(status, type, message));
    expect(error).toMatchObject({
      name: 'CredentialsProviderError',
      message: expect.stringContaining(message),
    });
    const explained = explainFailure(error, 'the stack Wiki').error.message;
    expect(explained).toMatch(says);
    expect(explained).not.toContain('SECRET');
  },
);

test('a sign-in that cannot be reached is no lack of credentials', async () => {
  const error = await refusedBy('http://127.0.0.1:1');
  const { error: explained, passes } = explainFailure(error, 'the stack Wiki');
  expect(explained.message).toMatch(/The sign-in to AWS \(SSO\) did not answer.*check the network/);
  expect(passes).toBe(true);
});
